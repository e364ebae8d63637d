// SPDX-License-Identifier: BSL-1.0
// Nothing of its own: the target that precompiles the header for the others needs a source.
