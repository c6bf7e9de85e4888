# SPDX-License-Identifier: MIT
#
# A formula for Homebrew on Linux: brew install --HEAD --formula packaging/homebrew/kanzen.rb, from a folder with this source.
# It was not run: there is no Homebrew where this project is built. What it does by hand (configure with these options,
# build, install) is what the tests do. On macOS the source does not build yet; docs/install.md says what is missing.
class Kanzen < Formula
  desc "Exact solutions of board games: solve, look up, play"
  homepage "https://kanzen.invalid"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkg-config" => :build
  depends_on "curl"
  depends_on "libedit"
  depends_on "libmicrohttpd"
  depends_on :linux
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBUILD_TESTING=OFF", "-DKANZEN_MPI=OFF",
           "-DKANZEN_CUDA=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"kanzen", "solve", "chess:KQvK", "--out", "t.kzt", "--quiet"
    assert_match "ok", shell_output("#{bin}/kanzen verify t.kzt --game chess:KQvK --quiet")
  end
end
