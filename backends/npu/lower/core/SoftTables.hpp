// Coefficients of series, two words each, the high one first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace airlite::npu::soft {

/// In the core's memory, where a routine looks a word up.
template <size_t N> struct Table {
  std::string_view name;
  uint32_t words[N];
  static constexpr uint32_t kWords = N;
};

/// Of atanh(s) / s in s^2: 1 / (2 n + 1), in 1.63.
inline constexpr Table<28> kAtanh = {
    "__air_table_atanh",
    {
        0x80000000, 0x00000000, 0x2aaaaaaa, 0xaaaaaaaa, 0x19999999, 0x99999999, 0x12492492,
        0x49249249, 0x0e38e38e, 0x38e38e38, 0x0ba2e8ba, 0x2e8ba2e8, 0x09d89d89, 0xd89d89d8,
        0x08888888, 0x88888888, 0x07878787, 0x87878787, 0x06bca1af, 0x286bca1a, 0x06186186,
        0x18618618, 0x0590b216, 0x42c8590b, 0x051eb851, 0xeb851eb8, 0x04bda12f, 0x684bda12,
    }};

/// Of tanh(x) / x in x^2, without signs, in 1.63.
inline constexpr Table<16> kTanh = {"__air_table_tanh",
                                    {
                                        0x80000000,
                                        0x00000000,
                                        0x2aaaaaaa,
                                        0xaaaaaaaa,
                                        0x11111111,
                                        0x11111111,
                                        0x06e86e86,
                                        0xe86e86e8,
                                        0x02cc9e91,
                                        0x05821f3e,
                                        0x01226e35,
                                        0x5e6c23c8,
                                        0x0075b4f4,
                                        0x3855f77e,
                                        0x002fb46c,
                                        0x8a56ebc5,
                                    }};

/// 1 / (2 n + 3) times the next larger power of two, in 1.63.
inline constexpr Table<130> kReciprocals = {
    "__air_table_reciprocals",
    {
        0xaaaaaaaa, 0xaaaaaaaa, 0xcccccccc, 0xcccccccc, 0x92492492, 0x49249249, 0xe38e38e3,
        0x8e38e38e, 0xba2e8ba2, 0xe8ba2e8b, 0x9d89d89d, 0x89d89d89, 0x88888888, 0x88888888,
        0xf0f0f0f0, 0xf0f0f0f0, 0xd79435e5, 0x0d79435e, 0xc30c30c3, 0x0c30c30c, 0xb21642c8,
        0x590b2164, 0xa3d70a3d, 0x70a3d70a, 0x97b425ed, 0x097b425e, 0x8d3dcb08, 0xd3dcb08d,
        0x84210842, 0x10842108, 0xf83e0f83, 0xe0f83e0f, 0xea0ea0ea, 0x0ea0ea0e, 0xdd67c8a6,
        0x0dd67c8a, 0xd20d20d2, 0x0d20d20d, 0xc7ce0c7c, 0xe0c7ce0c, 0xbe82fa0b, 0xe82fa0be,
        0xb60b60b6, 0x0b60b60b, 0xae4c415c, 0x9882b931, 0xa72f0539, 0x7829cbc1, 0xa0a0a0a0,
        0xa0a0a0a0, 0x9a90e7d9, 0x5bc609a9, 0x94f2094f, 0x2094f209, 0x8fb823ee, 0x08fb823e,
        0x8ad8f2fb, 0xa9386822, 0x864b8a7d, 0xe6d1d608, 0x82082082, 0x08208208, 0xfc0fc0fc,
        0x0fc0fc0f, 0xf4898d5f, 0x85bb3950, 0xed7303b5, 0xcc0ed730, 0xe6c2b448, 0x1cd85689,
        0xe070381c, 0x0e070381, 0xda740da7, 0x40da740d, 0xd4c77b03, 0x531dec0d, 0xcf6474a8,
        0x819ec8e9, 0xca4587e6, 0xb74f0329, 0xc565c87b, 0x5f9d4d1b, 0xc0c0c0c0, 0xc0c0c0c0,
        0xbc52640b, 0xc52640bc, 0xb81702e0, 0x5c0b8170, 0xb40b40b4, 0x0b40b40b, 0xb02c0b02,
        0xc0b02c0b, 0xac769184, 0x0ac76918, 0xa8e83f57, 0x17c0a8e8, 0xa57eb502, 0x95fad40a,
        0xa237c32b, 0x16cfd772, 0x9f1165e7, 0x254813e2, 0x9c09c09c, 0x09c09c09, 0x991f1a51,
        0x5885fb37, 0x964fda6c, 0x0964fda6, 0x939a85c4, 0x0939a85c, 0x90fdbc09, 0x0fdbc090,
        0x8e78356d, 0x1408e783, 0x8c08c08c, 0x08c08c08, 0x89ae4089, 0xae4089ae, 0x8767ab5f,
        0x34e47ef1, 0x85340853, 0x40853408, 0x83126e97, 0x8d4fdf3b, 0x81020408, 0x10204081,
        0xfe03f80f, 0xe03f80fe, 0xfa232cf2, 0x52138abf,
    }};

/// 2 / pi after 64 zero bits, 32 bits in a word.
inline constexpr Table<13> kTwoByPi = {"__air_table_two_by_pi",
                                       {
                                           0x00000000,
                                           0x00000000,
                                           0xa2f9836e,
                                           0x4e441529,
                                           0xfc2757d1,
                                           0xf534ddc0,
                                           0xdb629599,
                                           0x3c439041,
                                           0xfe5163ab,
                                           0xdebbc561,
                                           0xb7246e3a,
                                           0x424dd2e0,
                                           0x06492eea,
                                       }};

/// Of sin(x) / x and, after them, of cos(x), both in x^2, without signs, in 1.63.
inline constexpr Table<44> kSines = {
    "__air_table_sines",
    {
        0x80000000, 0x00000000, 0x15555555, 0x55555555, 0x01111111, 0x11111111, 0x00068068,
        0x06806806, 0x0000171d, 0xe3a556c7, 0x00000035, 0xcc8acfea, 0x00000000, 0x5849184e,
        0x00000000, 0x006b9fcf, 0x00000000, 0x0000654b, 0x00000000, 0x0000004b, 0x00000000,
        0x00000000, 0x80000000, 0x00000000, 0x40000000, 0x00000000, 0x05555555, 0x55555555,
        0x002d82d8, 0x2d82d82d, 0x0000d00d, 0x00d00d00, 0x0000024f, 0xc9f6ef13, 0x00000004,
        0x7bb63bfe, 0x00000000, 0x064e5d2a, 0x00000000, 0x0006b9fc, 0x00000000, 0x000005a0,
        0x00000000, 0x00000003,
    }};

}  // namespace airlite::npu::soft
