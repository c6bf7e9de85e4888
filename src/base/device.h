/* SPDX-License-Identifier: MIT
 *
 * Marks the small functions that kernels on a graphics card use as well as processors. */
#ifndef KZ_BASE_DEVICE_H
#define KZ_BASE_DEVICE_H

#ifdef __CUDACC__
#define KZ_DEVICE __host__ __device__
#else
#define KZ_DEVICE
#endif

#endif
