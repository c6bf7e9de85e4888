# SPDX-License-Identifier: MIT
"""Packs what tools/wheel has put here. CMake builds the extension (cmake/python.cmake)."""

import os

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel


class Ready(Distribution):
    """Has an extension, although none is compiled here."""

    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        # One wheel for 3.9 and all later versions.
        return "cp39", "abi3", os.environ["KANZEN_WHEEL_PLATFORM"]


setup(version=os.environ["KANZEN_WHEEL_VERSION"], distclass=Ready, cmdclass={"bdist_wheel": Wheel})
