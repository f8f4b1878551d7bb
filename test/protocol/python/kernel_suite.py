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


class WelcomeTests(jkt.IopubWelcomeTests):
    kernel_name = "turnwise"
    support_iopub_welcome = True


if __name__ == "__main__":
    unittest.main(verbosity=2)
