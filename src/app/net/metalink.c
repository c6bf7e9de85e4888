/* SPDX-License-Identifier: MIT */
#include "app/net/metalink.h"

#include <kanzen/error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool kz_metalink_is_url(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t scheme = strspn(text, letters);
    if (scheme == 0 || strncmp(text + scheme, "://", 3) != 0 || text[scheme + 3] == '\0') {
        return false;
    }
    for (const char *at = text; *at != '\0'; at++) {
        if (*at <= ' ' || *at > '~' || strchr("\"<>\\^`{|}", *at)) {
            return false;
        }
    }
    return true;
}

/* A URL has no other character that means something in XML. */
static void write_escaped(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '&') {
            fputs("&amp;", out);
        } else if (text[i] == '\'') {
            fputs("&apos;", out);
        } else {
            fputc(text[i], out);
        }
    }
}

static void write_file(FILE *out, const kz_metalink *link, const kz_metalink_file *file) {
    fprintf(out, "  <file name=\"%s\">\n    <size>%llu</size>\n    <hash type=\"sha-256\">%s</hash>\n", file->name,
            (unsigned long long)file->bytes, file->sha256);
    fprintf(out, "    <pieces length=\"%d\" type=\"sha-256\">\n", KZ_METALINK_PIECE);
    for (size_t i = 0; i < file->piece_count; i++) {
        fprintf(out, "      <hash>%s</hash>\n", file->pieces[i]);
    }
    fputs("    </pieces>\n", out);
    for (size_t i = 0; i < link->url_count; i++) {
        size_t length = strlen(link->urls[i]);
        while (link->urls[i][length - 1] == '/') {
            length--;
        }
        fprintf(out, "    <url priority=\"%zu\">", i + 1);
        write_escaped(out, link->urls[i], length);
        fprintf(out, "/%s</url>\n", file->name);
    }
    fputs("  </file>\n", out);
}

char *kz_metalink_write(const kz_metalink *link, size_t *length) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out) {
        return NULL;
    }
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\n"
            "  <generator>kanzen/%s</generator>\n",
            kz_version());
    for (size_t i = 0; i < link->count; i++) {
        write_file(out, link, &link->files[i]);
    }
    fputs("</metalink>\n", out);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
