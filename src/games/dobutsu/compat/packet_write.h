/* SPDX-License-Identifier: MIT */
#ifndef KZ_EXPORT_PACKET_WRITE_H
#define KZ_EXPORT_PACKET_WRITE_H

#include "games/dobutsu/compat/packet_source.h"

#include <kanzen/dobutsu_files.h>

/* kz_dobutsu_packets_write with a source that is there already, and its pool; NULL: one is made. */
kz_status kz_packet_write_with(kz_packet_source *source, const char *path, const kz_dobutsu_packets_options *options,
                               kz_dobutsu_packets_summary *summary, kz_error *error);

#endif
