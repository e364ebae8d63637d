// SPDX-License-Identifier: BSL-1.0
// arg_sort as launches, over keys (opencl/key_text.hpp).
//   blocks   a block of a line is sorted: by one item (on CPUs), or by a group in local memory
//   merge    every element finds its place in the union of two neighbouring sorted runs, by
//            bisection in the other one; equal elements of the left run stand first
// Several keys are sorted from the last to the first, each pass stable.
// Needs: a bound graph, its accesses. Leaves: the interpreter's bits.
#pragma once

#include <weft/opencl/key_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

// ---- sorting lines that lie side by side
// Runs of sorted pairs of a key and an index.
struct sorted_runs {
  buffer_use keys, indices;
};
struct line_sort {
  dtype type;
  buffer_use data;             // of the key
  buffer_use const* order;     // the lines' order so far; null: as they stand
  bool opposite;               // descending
  extent lines, length, block; // block: elements of a line that are sorted at first
};
inline extent blocks_of(line_sort const& s) { return share_count(s.length, s.block); }

// Parts of both forms: buffers and numbers, and the key and the index of element p of a block.
struct block_text {
  std::string keys, indices, data, order, opposite;
};
inline block_text block_buffers(launch_writer& w, line_sort const& s, sorted_runs const& to) {
  define_key(w.functions(), s.type);
  block_text t;
  t.keys = w.output(key_dtype(s.type), to.keys);
  t.indices = w.output(dtype::i32, to.indices);
  t.data = w.input(as_moved(size_of(s.type)), s.data);
  if (s.order != nullptr) t.order = w.input(dtype::i32, *s.order);
  t.opposite = w.number(s.opposite ? 1 : 0);
  w.reaches(s.lines * s.length + 2 * s.block);
  return t;
}
// Needs variables: block, the number of the block. Leaves: line, base, first and m: the number of
// elements before its line, before the block, in its line before the block, and in the block.
inline void write_block_place(launch_writer& w, line_sort const& s) {
  std::string const blocks = w.number(blocks_of(s)), length = w.number(s.length),
                    size = w.number(s.block);
  w.line("const index line = block / " + blocks + " * " + length + ";");
  w.line("const index first = block % " + blocks + " * " + size + ";");
  w.line("const index base = line + first;");
  w.line("const index m = min(" + size + ", " + length + " - first);");
}
inline void write_pair(launch_writer& w, line_sort const& s, block_text const& t) {
  w.line("const int x = " + (t.order.empty() ? "(int)(first + i)" : t.order + "[base + i]") + ";");
  w.line(std::string("const ") + key_type(s.type) +
         " key = " + key_of(s.type, t.data + "[line + x]", t.opposite) + ";");
}
// Runs of 16, each sorted by insertion.
inline void write_short_runs(launch_writer& w, line_sort const& s, block_text const& t) {
  w.open("for (index i = 0; i < m; ++i)");
  write_pair(w, s, t);
  write_lines(w, "index j = i;\n"
                 "for (; j % 16 != 0 && key < k0[j - 1]; --j) {\n"
                 "  k0[j] = k0[j - 1];\n"
                 "  x0[j] = x0[j - 1];\n"
                 "}\n"
                 "k0[j] = key;\n"
                 "x0[j] = x;\n");
  w.close();
}
// Runs of twice the length, to and fro.
inline void write_merged_runs(launch_writer& w, std::string const& swap) {
  w.open("for (index run = 16; run < m; run *= 2)");
  write_lines(w, "for (index i = 0; i < m; i += 2 * run) {\n"
                 "  const index middle = min(i + run, m), end = min(middle + run, m);\n"
                 "  index a = i, b = middle;\n"
                 "  for (index j = i; j < end; ++j) {\n"
                 "    const int right = a == middle || (b < end && k0[b] < k0[a]);\n"
                 "    const index from = right ? b : a;\n"
                 "    k1[j] = k0[from];\n"
                 "    x1[j] = x0[from];\n"
                 "    b += right;\n"
                 "    a += !right;\n"
                 "  }\n"
                 "}\n");
  w.line(swap);
  w.close();
}
// An item sorts a block, alone in its group: a line's blocks are divided among all cores.
inline void add_block_by_item(step_text& text, line_sort const& s, sorted_runs const& to,
                              sorted_runs const& other) {
  launch_writer w("sort_blocks");
  block_text const t = block_buffers(w, s, to);
  std::string const keys = w.output(key_dtype(s.type), other.keys),
                    indices = w.output(dtype::i32, other.indices), type = key_type(s.type);
  w.item(s.lines * blocks_of(s));
  w.line("const index block = r;");
  write_block_place(w, s);
  w.line("__global " + type + "* k0 = " + t.keys + " + base;");
  w.line("__global " + type + "* k1 = " + keys + " + base;");
  w.line("__global int* x0 = " + t.indices + " + base;");
  w.line("__global int* x1 = " + indices + " + base;");
  write_lines(w, "__global int* swap_x;\n"
                 "int odd = 0;\n"
                 "for (index run = 16; run < m; run *= 2) odd = !odd;\n");
  std::string const swap = "{ swap_k = k0; k0 = k1; k1 = swap_k; swap_x = x0; x0 = x1; "
                           "x1 = swap_x; }";
  w.line("__global " + type + "* swap_k;");
  w.line("if (odd) " + swap);
  write_short_runs(w, s, t);
  write_merged_runs(w, swap);
  w.launch(text, 1);
}

// Where element `p` with this key goes, of the runs around it; `at`: where the line is in `keys`.
inline void write_rank(launch_writer& w, std::string const& keys, std::string const& at,
                       std::string const& length) {
  w.line("const index middle = min(p / (2 * run) * (2 * run) + run, (index)" + length + ");");
  w.line("const int right = p >= middle;");
  w.line("index low = right ? middle - run : middle;");
  w.line("index high = right ? middle : min(middle + run, (index)" + length + ");");
  w.open("while (low < high)");
  w.line("const index half_way = (low + high) / 2;");
  w.line("const int before = right ? " + keys + "[" + at + " + half_way] <= key : " + keys + "[" +
         at + " + half_way] < key;");
  w.line("low = before ? half_way + 1 : low;");
  w.line("high = before ? high : half_way;");
  w.close();
  w.line("const index to = p - middle + low;");
}
// A group sorts a block in local memory, where runs are merged to and fro.
inline void add_block_by_group(step_text& text, device_traits const& on, line_sort const& s,
                               sorted_runs const& to) {
  launch_writer w("sort_blocks");
  block_text const t = block_buffers(w, s, to);
  extent const group = group_of(on);
  std::string const items = std::to_string(group), size = std::to_string(s.block),
                    both = std::to_string(2 * s.block), type = key_type(s.type);
  w.line("__local " + type + " k[" + both + "];");
  w.line("__local int xs[" + both + "];");
  w.line("const index block = (index)get_group_id(0);");
  w.line("const index me = (index)get_local_id(0);");
  write_block_place(w, s);
  w.open("for (index i = me; i < m; i += " + items + ")");
  write_pair(w, s, t);
  write_lines(w, "k[i] = key;\nxs[i] = x;\n");
  w.close();
  w.line("index from = 0;");
  w.line("barrier(CLK_LOCAL_MEM_FENCE);");
  w.open("for (index run = 1; run < m; run *= 2)");
  w.open("for (index p = me; p < m; p += " + items + ")");
  w.line("const " + type + " key = k[from + p];");
  write_rank(w, "k", "from", "m");
  w.line("k[" + size + " - from + to] = key;");
  w.line("xs[" + size + " - from + to] = xs[from + p];");
  w.close();
  w.line("from = " + size + " - from;");
  w.line("barrier(CLK_LOCAL_MEM_FENCE);");
  w.close();
  w.open("for (index i = me; i < m; i += " + items + ")");
  w.line(t.keys + "[base + i] = k[from + i];");
  w.line(t.indices + "[base + i] = xs[from + i];");
  w.close();
  w.launch_groups(text, s.lines * blocks_of(s), group);
}
// Runs of `run` elements of every line, two by two.
inline void add_merge(step_text& text, device_traits const& on, line_sort const& s, extent run,
                      sorted_runs const& to, sorted_runs const& from) {
  launch_writer w("merge_runs");
  std::string const type = key_type(s.type), keys = w.output(key_dtype(s.type), to.keys),
                    indices = w.output(dtype::i32, to.indices),
                    from_keys = w.input(key_dtype(s.type), from.keys),
                    from_indices = w.input(dtype::i32, from.indices);
  w.reaches(s.lines * s.length);
  w.reaches(s.length + 2 * run);
  w.item(s.lines * s.length);
  std::string const length = w.number(s.length);
  w.line("const index run = " + w.number(run) + ";");
  w.line("const index line = r / " + length + " * " + length + ";");
  w.line("const index p = r - line;");
  w.line("const " + type + " key = " + from_keys + "[r];");
  write_rank(w, from_keys, "line", length);
  w.line(keys + "[line + to] = key;");
  w.line(indices + "[line + to] = " + from_indices + "[r];");
  w.launch(text, group_of(on));
}

class scratch_space {
public:
  buffer_use take(extent count, int element_bytes) {
    constexpr extent line = 64;
    extent const at = bytes_;
    bytes_ += share_count(count * element_bytes, line) * line;
    return {buffer_use::scratch, at / element_bytes, element_bytes};
  }
  extent bytes() const { return bytes_; }

private:
  extent bytes_ = 0;
};

// Elements of a line that are sorted at first: by an item, so many that there are items enough; in
// local memory, what fits there twice.
inline extent block_length(device_traits const& on, extent lines, extent length, int key) {
  constexpr extent least = 1024, items = 16;
  if (on.is_cpu) {
    extent const shared = share_count(lines * length, items);
    extent const wanted = shared < least ? least : shared;
    return wanted < length ? wanted : length;
  }
  extent block = least;
  while (2 * block * (key + 4) > on.local_bytes) block /= 2;
  return block;
}
// One key; the order, line by line, goes to `out`. Buffers 0 and 1 are taken in turns.
inline void add_line_sort(step_text& text, device_traits const& on, line_sort const& s,
                          buffer_use const& out, sorted_runs const (&buffers)[2]) {
  extent const doubled = 2 * s.block;
  bool const is_whole = s.block >= s.length;
  sorted_runs const first{buffers[0].keys, is_whole ? out : buffers[0].indices};
  if (on.is_cpu) add_block_by_item(text, s, first, buffers[1]);
  else add_block_by_group(text, on, s, first);
  int in = 0;
  for (extent run = s.block, next = doubled; run < s.length; run = next, next *= 2, in = 1 - in)
    add_merge(text, on, s, run,
              {buffers[1 - in].keys, next >= s.length ? out : buffers[1 - in].indices},
              buffers[in]);
}

// ---- arg_sort
constexpr extents axis_last(extents const& s, int axis) {
  extents r = without_axes(s, extent{1} << axis);
  r.push(s[axis]);
  return r;
}
constexpr bool is_line(nest const& axes) {
  nest const m = merged(axes);
  return m.empty() || (m.size() == 1 && m[0].step[0] == 1 && m[0].step[1] == 1);
}
inline void add_arg_sort(step_text& text, device_traits const& on, graph_view g,
                         accesses const& reads, int id) {
  int const axis = static_cast<int>(g.attribute(id, 0)), keys = g[id].operand_count;
  extents const shape = axis_last(g.shape(id), axis), steps = row_major_strides(shape);
  extent const count = count_of(shape), length = g.shape(id)[axis], lines = count / length;
  nest const result = nest_of(shape, axis_last(row_major_strides(g.shape(id)), axis), steps);
  scratch_space space;
  sorted_runs const buffers[2] = {{space.take(count, 8), space.take(count, 4)},
                                  {space.take(count, 8), space.take(count, 4)}};
  buffer_use const copied = space.take(count, 8);
  buffer_use const orders[2] = {space.take(count, 4), space.take(count, 4)};
  text.scratch_bytes = space.bytes();
  for (int k = keys - 1; k >= 0; --k) {
    int const key = g.operand(id, k), size = size_of(g[key].type);
    nest const axes = nest_of(shape, steps, axis_last(strides_of(g, reads, key), axis));
    buffer_use data = memory_of(g, reads, key);
    if (!is_line(axes)) {
      buffer_use const dense{buffer_use::scratch, copied.offset * 8 / size, size};
      add_copy(text, on, {size, axes, dense, data});
      data = dense;
    }
    int const bytes = key_bytes(g[key].type);
    sorted_runs typed[2] = {buffers[0], buffers[1]};
    for (sorted_runs& one : typed)
      one.keys = {buffer_use::scratch, one.keys.offset * 8 / bytes, bytes};
    line_sort const s{g[key].type,
                      data,
                      k + 1 < keys ? &orders[(k + 1) % 2] : nullptr,
                      has_axis(g.attribute(id, 1), k),
                      lines,
                      length,
                      block_length(on, lines, length, bytes)};
    add_line_sort(text, on, s, k == 0 && is_line(result) ? result_of(g, id) : orders[k % 2], typed);
  }
  if (!is_line(result)) add_copy(text, on, {4, result, result_of(g, id), orders[0]});
}

} // namespace detail::opencl_moves
} // namespace weft::inline v0
