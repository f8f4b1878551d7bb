"""The official suite for Jupyter kernels, with every optional sample filled in for TypeScript."""

import unittest

import jupyter_kernel_test as jkt

patience = 60


def patient(channel):
    """The suite waits a tenth of a second for some messages; a busy machine may take longer, and loses none."""
    get = channel.get_msg
    channel.get_msg = lambda timeout=None: get(timeout=max(timeout or 0, patience))


class TurnwiseTests(jkt.KernelTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        patient(cls.kc.shell_channel)
        patient(cls.kc.iopub_channel)

    def flush_channels(self):
        """Reads up to the answers to a request of its own, behind which nothing of an earlier one comes."""
        request = self.kc.kernel_info()
        for channel, last in ((self.kc.shell_channel, "kernel_info_reply"), (self.kc.iopub_channel, "idle")):
            found = None
            while found != (request, last):
                message = channel.get_msg()
                jkt.validate_message(message)
                kind = message["content"].get("execution_state", message["msg_type"])
                found = (message["parent_header"].get("msg_id"), kind)

    kernel_name = "turnwise"
    language_name = "typescript"
    file_extension = ".ts"
    code_hello_world = "console.log('hello, world')"
    code_stderr = "console.error('oops')"
    code_page_something = "parseInt?"
    code_generate_error = "throw new Error('on purpose')"
    code_inspect_sample = "parseInt"
    code_clear_output = "clearOutput()"
    code_history_pattern = "1 + 2 ? 6"
    supported_history_operations = ("tail", "range", "search")
    completion_samples = [
        {"text": "Math.sq", "matches": {"sqrt"}},
        {"text": "parseI", "matches": {"parseInt"}},
    ]
    complete_code_samples = ["1", "const a = 1", "function f(x: number) { return x }", "await 0"]
    incomplete_code_samples = ["function f(x: number) {", "[1, 2", "`text", "if (true) {"]
    invalid_code_samples = ["1 +* 2", "let let = )"]
    code_execute_result = [
        {"code": "1 + 2", "result": "3"},
        {"code": "1 + 2 + 3", "result": "6"},
        {"code": "'a'.repeat(3)", "result": "'aaa'"},
        {"code": "1 + 2 * 4", "result": "9"},
        {"code": "1 + 2 * 5", "result": "11"},
        {"code": "1 + 2 * 6", "result": "13"},
    ]
    code_display_data = [
        {"code": "display(html('<b>x</b>'))", "mime": "text/html"},
        {"code": "display(svg('<svg/>'))", "mime": "image/svg+xml"},
        {"code": "display(png('iVBORw0KGgo='))", "mime": "image/png"},
        {"code": "display(md('# x'))", "mime": "text/markdown"},
    ]


class CommentedTests(TurnwiseTests):
    """Comments before, between and behind, in every form, without semicolons."""

    code_hello_world = "/* greet */ console.log('hello, world') // and no more"
    code_stderr = "// to the other stream\nconsole.error('oops')\n// done"
    code_page_something = "/* what is it? */ parseInt?"
    code_generate_error = "// why?\n/** Never. */\nthrow new Error('on purpose')"
    code_inspect_sample = "/* the global */ parseInt"
    code_clear_output = "clearOutput() /* now */"
    code_history_pattern = "// 1 + 1?1 + 2 ? 6"
    completion_samples = [
        {"text": "/* root */ Math.sq", "matches": {"sqrt"}},
        {"text": "// a line\nparseI", "matches": {"parseInt"}},
    ]
    complete_code_samples = ["// nothing else", "/* a\n b */", "1 // {", "/** Doc. */\nconst a = 1", "'// text'"]
    incomplete_code_samples = ["/* open", "// head\nfunction f() { // {", "[1, // one\n2", "`// text"]
    invalid_code_samples = ["/* a */ 1 +* 2", "// b\nlet let = )"]
    code_execute_result = [
        {"code": "/* before */ 1 + 2", "result": "3"},
        {"code": "1 + /* between */ 2 + 3", "result": "6"},
        {"code": "'a//b' // behind", "result": "'a//b'"},
        {"code": "1 + 2 * 4\n// below", "result": "9"},
        {"code": "/**\n * Several lines\n */\n1 + 2 * 5\n/* and more */", "result": "11"},
        {"code": "// 1 + 1\n1 + 2 * 6", "result": "13"},
    ]


class TypedTests(TurnwiseTests):
    """Types, semicolons, indentation with spaces and tabs, statements over many lines, other line ends."""

    code_hello_world = "const greeting: string = 'hello, world';\nconsole.log(greeting satisfies string);"
    code_stderr = "\tconst said = <string>'oops';\r\n\tconsole.error(said);\r\n"
    code_page_something = "\n  parseInt?\n"
    code_generate_error = "function fail(why: string): never {\n\tthrow new Error(why);\n}\nfail('on purpose');"
    code_inspect_sample = "const n: number = parseInt"
    code_clear_output = "if (true) {\n    clearOutput();\n}"
    code_history_pattern = "enum Size { Small = 13 }*"
    completion_samples = [
        {"text": "const root: number = Math.sq", "matches": {"sqrt"}},
        {"text": "function f(text: string): number {\n  return parseI", "matches": {"parseInt"}},
        {"text": "interface A { alpha: 1 }\nlet a!: A;\n\ta.al", "matches": {"alpha"}},
    ]
    complete_code_samples = [
        "interface A {\n  readonly a: number;\n}",
        "type B<T> = T extends string ? 1 : 2;",
        "const c = <T,>(x: T): T => x;",
        "class D<T> {\n\tconstructor(private x: T) {}\n}\n",
        "enum E { A = 1 };",
        "for (const x of [1]) {\r\n  x;\r\n}",
    ]
    incomplete_code_samples = [
        "interface A {\n  a: number;",
        "type B = {",
        "const c = (x: number):",
        "class D {\n\tm(): void {\n\t}",
        "const t = [\n  1,\n  2,",
        "f(\n  1,",
    ]
    invalid_code_samples = ["const a: = 1;", "interface 1 {}", "type = ;"]
    code_execute_result = [
        {"code": "const a: number = 1 + 2;\na;", "result": "3"},
        {"code": "    (1 as number) + 2 + 3;", "result": "6"},
        {"code": "function f(x: string): string {\n\treturn x.repeat(3);\n}\nf('a')", "result": "'aaa'"},
        {"code": "[1, 2, 4]\n  .map((x: number): number => x)\n  .reduce(\n    (x, y) => x + y,\n    2,\n  );", "result": "9"},
        {"code": "let b!: number\nb = 11\nb", "result": "11"},
        {"code": "enum Size { Small = 13 }\r\n\r\nSize.Small;\r\n", "result": "13"},
    ]
    code_display_data = [
        {"code": "const page: string = '<b>x</b>';\ndisplay(html(page));", "mime": "text/html"},
        {"code": "for (const text of ['# x'] as const) {\n  display(md(text));\n}", "mime": "text/markdown"},
    ]


class WelcomeTests(jkt.IopubWelcomeTests):
    kernel_name = "turnwise"
    support_iopub_welcome = True


if __name__ == "__main__":
    unittest.main(verbosity=2)
