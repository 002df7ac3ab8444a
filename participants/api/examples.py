"""Examples in the API schema. A test sends each of the requests."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample

START_EXAMPLES = [
    OpenApiExample(
        "from Prolific",
        {
            "start_key": "6f1c2f9e-6b0e-4c8e-9a53-5a1d7e1b7f10",
            "consent": {"version": 1, "required": [True, True, True], "optional": {"My answers may be shared.": False}},
            "recruitment": {
                "PROLIFIC_PID": "5f3d2a1b9c8e7d6f5a4b3c2d",
                "STUDY_ID": "64a1b2c3d4e5f6a7b8c9d0e1",
                "SESSION_ID": "65b2c3d4e5f6a7b8c9d0e1f2",
            },
            "client": {"window": [1280, 720], "refresh_hz": 60},
        },
        request_only=True,
    ),
    OpenApiExample("started", {"session": "K7QM4", "run_url": "/s/causal-sentences/run/"}, response_only=True),
]

BATCH_EXAMPLES = [
    OpenApiExample(
        "a judgement",
        {
            "tab": "0b9f7c1e-0f0e-4d53-8a5b-2f6f1d6f9a11",
            "entries": [
                {"kind": "opened", "sequence": 9},
                {
                    "kind": "result",
                    "sequence": 9,
                    "payload": {
                        "typed": "12,5",
                        "number": 12.5,
                        "modulus_number": 10,
                        "first_key_ms": 2140.2,
                        "edits": 0,
                        "refused": [],
                    },
                    "rt_ms": 3120.7,
                    "onset_ms": 91320.4,
                    "clock": "element-timing",
                    "interrupted": False,
                    "attempts": 1,
                    "focus_losses": 0,
                    "event_batches": 0,
                    "onset_error_ms": 2.0,
                },
                {"kind": "events", "sequence": 9, "batch": 0, "events": [{"type": "blur", "at_ms": 1200.5}]},
            ],
        },
        request_only=True,
    ),
    OpenApiExample(
        "a text read with the pointer, word by word",
        {
            "tab": "0b9f7c1e-0f0e-4d53-8a5b-2f6f1d6f9a11",
            "entries": [
                {
                    "kind": "result",
                    "sequence": 4,
                    "payload": {
                        # 1 from 77 ms to 107.2 ms, 2 to 160.1 ms, and after 10 ms off the text 1 again to 1000.2 ms.
                        "visits": {
                            "steps": [1, 1, -1],
                            "waits": "MCAABk",
                            "stays": "EuIR(CBt)",
                            "left_by": [["moved", 2], ["done", 1]],
                        },
                        "finished_ms": 1000.2,
                        "layouts": [
                            {
                                "at_ms": 0,
                                "viewport": [1280, 720],
                                "zoom": 1,
                                "dpr": 1,
                                "font": "22px Source Sans 3",
                                "font_loaded": True,
                                "origin": [288, 260],
                                "size": [704, 46],
                                "lines": 1,
                                # Area 1 is 50 pixels wide, area 2 to its right 654.
                                "boxes": [[1, 0, 0, 46, "y(KO)"]],
                            }
                        ],
                        "layout_changes": 0,
                        "pauses": [],
                        "mode": "pointer",
                        "pointer_type": "mouse",
                        "device": None,
                        "copy_attempts": 0,
                        "frame_interval_ms": 16.7,
                        "ratings": {},
                        "question": None,
                    },
                    "rt_ms": 1000.2,
                    "onset_ms": 20310.5,
                    "clock": "element-timing",
                    "interrupted": False,
                    "attempts": 1,
                    "focus_losses": 0,
                    "event_batches": 0,
                    "onset_error_ms": 2.0,
                }
            ],
        },
        request_only=True,
    ),
]

RECEIPT_EXAMPLES = [
    OpenApiExample(
        "stored",
        {
            "results": [
                {
                    "kind": "result",
                    "sequence": 9,
                    "status": "stored",
                    "hash": "f5c6c1f3b0b1d7d6b6e8b0a2d0a3a7f2d8a5d0f5d1f6e3c2b1a09f8e7d6c5b4a",
                }
            ],
            "lease": True,
        },
        response_only=True,
        status_codes=["200"],
    )
]
