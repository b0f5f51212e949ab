"""A skip says that this machine lacks something; in CI nothing may be lacking."""

import os

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """With NO_SKIPS set, turn each skip into a failure that gives the reason."""
    report = (yield).get_result()
    if report.skipped and "NO_SKIPS" in os.environ:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped where nothing may be: {report.longrepr}"
