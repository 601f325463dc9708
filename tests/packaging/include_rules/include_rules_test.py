"""Each rule of include_rules.py catches a file that breaks it, and names the file and the line."""

import tempfile
import unittest
from pathlib import Path

import include_rules


def violations_of(files):
    """Lays out a small tree that keeps the rules, changes `files` in it and checks it."""
    tree = {
        "include/voda/config.hpp": "#include <cstdio>\n",
        "include/voda/voda.hpp": '#include "voda/config.hpp"\n#include "voda/model/job.hpp"\n'
        '#include "voda/policy/allocator.hpp"\n#include "voda/solvers/knapsack.hpp"\n',
        "include/voda/model/job.hpp": "#include <vector>\n",
        "include/voda/policy/allocator.hpp": '#include "voda/model/job.hpp"\n#include "voda/policy/impl/allocator_inl.hpp"\n',
        "include/voda/policy/impl/allocator_inl.hpp": "#include <fmt/format.h>\n",
        "include/voda/solvers/knapsack.hpp": "#include <Eigen/Dense>\n",
        "include/voda/io/snapshot.hpp": "#include <nlohmann/json.hpp>\n",
        "src/policy.cpp": '#include "voda/policy/impl/allocator_inl.hpp"\n',
        "tests/policy/allocator_test.cpp": '#include "voda/policy/allocator.hpp"\n',
    }
    tree.update(files)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in tree.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return include_rules.check_tree(root)


class IncludeRules(unittest.TestCase):
    def assert_caught(self, name, text, line):
        """One file that breaks a rule gives one complaint, at that file and line."""
        found = violations_of({name: text})
        self.assertEqual([entry.split(": ")[0] for entry in found], [f"{name}:{line}"], found)

    def test_a_tree_that_keeps_them_passes(self):
        self.assertEqual(violations_of({}), [])

    def test_model_may_not_include_policy(self):
        self.assert_caught("include/voda/model/job.hpp", '#pragma once\n#include "voda/policy/allocator.hpp"\n', 2)

    def test_solvers_may_not_include_model(self):
        self.assert_caught("include/voda/solvers/knapsack.hpp", '#include "voda/model/job.hpp"\n', 1)

    def test_a_short_path_is_refused(self):
        self.assert_caught("include/voda/policy/allocator.hpp", '#include "voda/policy/impl/allocator_inl.hpp"\n#include "job.hpp"\n', 2)

    def test_fmt_stays_in_impl(self):
        self.assert_caught("include/voda/model/job.hpp", "#include <fmt/format.h>\n", 1)

    def test_eigen_stays_in_solvers_and_impl(self):
        self.assert_caught("include/voda/model/job.hpp", "#include <vector>\n\n#include <Eigen/Core>\n", 3)

    def test_json_stays_in_io(self):
        self.assert_caught("include/voda/policy/impl/allocator_inl.hpp", "#include <nlohmann/json.hpp>\n", 1)

    def test_an_unknown_library_is_refused(self):
        self.assert_caught("include/voda/model/job.hpp", "#include <boost/any.hpp>\n", 1)

    def test_the_impl_of_another_folder_is_private(self):
        self.assert_caught("include/voda/io/snapshot.hpp", '#include "voda/policy/impl/allocator_inl.hpp"\n', 1)

    def test_an_unknown_folder_is_refused(self):
        name = "include/voda/util/text.hpp"
        found = violations_of({name: "#pragma once\n"})
        self.assertIn(f"{name}:1: the table knows no folder util", found)

    def test_the_umbrella_lists_every_public_header(self):
        self.assert_caught("include/voda/voda.hpp", '#include "voda/config.hpp"\n#include "voda/model/job.hpp"\n#include "voda/policy/allocator.hpp"\n', 1)

    def test_the_umbrella_is_sorted(self):
        lines = ["policy/allocator.hpp", "config.hpp", "model/job.hpp", "solvers/knapsack.hpp"]
        self.assert_caught("include/voda/voda.hpp", "".join(f'#include "voda/{line}"\n' for line in lines), 2)

    def test_the_umbrella_leaves_io_out(self):
        lines = ["config.hpp", "io/snapshot.hpp", "model/job.hpp", "policy/allocator.hpp", "solvers/knapsack.hpp"]
        self.assert_caught("include/voda/voda.hpp", "".join(f'#include "voda/{line}"\n' for line in lines), 2)

    def test_a_source_lists_every_body(self):
        self.assert_caught("src/policy.cpp", "\n", 1)

    def test_a_source_lists_nothing_else(self):
        self.assert_caught("src/policy.cpp", '#include "voda/policy/impl/allocator_inl.hpp"\n#include <vector>\n', 2)

    def test_bodies_without_a_source_are_caught(self):
        self.assertEqual(len(violations_of({"include/voda/model/impl/job_inl.hpp": "#pragma once\n"})), 1)

    def test_tests_use_public_headers_only(self):
        self.assert_caught("tests/policy/allocator_test.cpp", '#include <vector>\n#include "voda/policy/impl/allocator_inl.hpp"\n', 2)


if __name__ == "__main__":
    unittest.main()
