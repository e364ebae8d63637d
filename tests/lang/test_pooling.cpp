#include <weft/weft.hpp>
#include <gtest/gtest.h>
using namespace weft;
constexpr tensor<float,1,4,4,1> x4(){ tensor<float,1,4,4,1> x; return x; }
TEST(a,b){
  tensor<int, 4, 4> x = {{1,2,3,4},{5,6,7,8},{9,10,11,12},{13,14,15,16}};
  tensor<int,2,2> y = max_pool<"HW", pool_options{.size = 2}>(x);
  EXPECT_EQ(y(0,0),6); EXPECT_EQ(y(1,1),16);
  tensor<int,2,2> z = max_pool<"HW", pool_options{.size = 3, .strides=1}>(x);
  EXPECT_EQ(z(0,0),11); EXPECT_EQ(z(1,1),16);
  tensor<int,4,4> s = sum_pool<"HW", pool_options{.size = 3, .strides=1, .padding=pads::same}>(x);
  EXPECT_EQ(s(0,0),14);
}
