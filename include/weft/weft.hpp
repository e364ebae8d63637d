// SPDX-License-Identifier: BSL-1.0
// weft: arrays, functions on them, and what runs them. Needs the standard library only.
// One more include each: weft/run/compiled.hpp (a program that owns its memory), weft/run/block.hpp
// (jit<f>(cpu::block, ...)), weft/run/stream.hpp (a scan's step as an object), weft/run/explain.hpp
// (a program as text), weft/cpu/pool.hpp (threads), weft/testing/check_grad.hpp (derivatives against
// differences).
#pragma once

// clang-format off
// First what compares many enumerators: behind lang's operators every comparison would ask whether
// they are arrays.
#include <weft/graph/einsum_record.hpp>
#include <weft/graph/interpret.hpp>
#include <weft/graph/reduce_windows.hpp>
#include <weft/transform/autocast.hpp>
#include <weft/transform/checkpoint.hpp>
#include <weft/transform/grad.hpp>
#include <weft/transform/vmap.hpp>
#include <weft/transform/with_checks.hpp>
#include <weft/pass/dissolve.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/pass/relax.hpp>
#include <weft/pass/unroll.hpp>
#include <weft/cpu/engine.hpp>
#include <weft/lang/conv_check.hpp>
#include <weft/lang/einsum_check.hpp>
#include <weft/lang/pooling_rules.hpp>
#include <weft/lang/view_spec.hpp>
// Then what most errors are found in, the lower before the higher: compilers print every include on
// the way to an error, from here one.
#include <weft/array/access.hpp>
#include <weft/array/borrowed.hpp>
#include <weft/array/members.hpp>
#include <weft/array/tensor.hpp>
#include <weft/lang/shape_rules.hpp>
#include <weft/lang/operand.hpp>
#include <weft/lang/structure.hpp>
#include <weft/lang/call.hpp>
#include <weft/run/program.hpp>
#include <weft/run/small_program.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/scan.hpp>
#include <weft/lang/while.hpp>
#include <weft/lang/einsum.hpp>
#include <weft/lang/reduction_rules.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/expression.hpp>
#include <weft/lang/gradients.hpp>
// clang-format on

#include <weft/lang/activations.hpp>
#include <weft/lang/associative_scan.hpp>
#include <weft/lang/at.hpp>
#include <weft/lang/attention.hpp>
#include <weft/lang/closeness.hpp>
#include <weft/lang/conv.hpp>
#include <weft/lang/custom_call.hpp>
#include <weft/lang/custom_vjp.hpp>
#include <weft/lang/diagonal.hpp>
#include <weft/lang/distributions.hpp>
#include <weft/lang/elementary.hpp>
#include <weft/lang/embedding.hpp>
#include <weft/lang/expression_elementary.hpp>
#include <weft/lang/grids.hpp>
#include <weft/lang/indexing.hpp>
#include <weft/lang/initialisers.hpp>
#include <weft/lang/jacobian.hpp>
#include <weft/lang/joining.hpp>
#include <weft/lang/like.hpp>
#include <weft/lang/loss_scale.hpp>
#include <weft/lang/losses.hpp>
#include <weft/lang/lstm.hpp>
#include <weft/lang/map.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/normalise.hpp>
#include <weft/lang/observe.hpp>
#include <weft/lang/optimise.hpp>
#include <weft/lang/optimise_more.hpp>
#include <weft/lang/padding.hpp>
#include <weft/lang/pooling.hpp>
#include <weft/lang/products.hpp>
#include <weft/lang/quantiles.hpp>
#include <weft/lang/randint.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/random_blocks.hpp>
#include <weft/lang/random_order.hpp>
#include <weft/lang/rejection.hpp>
#include <weft/lang/repetition.hpp>
#include <weft/lang/schedules.hpp>
#include <weft/lang/segments.hpp>
#include <weft/lang/sort.hpp>
#include <weft/lang/statistics.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/lang/vmap.hpp>
#include <weft/lang/windows.hpp>
#include <weft/run/evaluate.hpp>
#include <weft/run/jit.hpp>
