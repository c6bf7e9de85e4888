# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# For tests that need mpirun, to be sourced first. $TEAM_MPI is a program that a build with MPI has (tests/mpi); without
# it, or without mpirun, the test is skipped.
if [ -z "${TEAM_MPI:-}" ] || ! command -v mpirun >/dev/null; then
    echo "there is no mpirun, or no MPI in this build"
    exit 77
fi
# Open MPI asks whether root is meant; here it is.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# mpi N COMMAND...: N members on this machine, however few processors it has.
mpi() {
    local members=$1
    shift
    mpirun -n "$members" --oversubscribe --bind-to none "$@"
}
