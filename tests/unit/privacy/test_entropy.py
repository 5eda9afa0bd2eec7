"""What looks random, and what only looks long."""

from __future__ import annotations

import pytest

from recollect.privacy.entropy import entropy, find_credentials, is_word_like

STRANDS = [
    # strand                                              found   because
    ("aB3dE5fA7B9cD1eF3aB5cD7eF9aB1cD3eF5aB7cD9eF1aB3cD5eF7aB9cD1eF3aB", True,
     "64 hex digits in both cases are no hash"),
    ("dGhpcyBpcyBhIGxvbmcgYmFzZTY0IGVuY29kZWQgdGV4dCB0aGF0", True, "a base64 blob of 40 or more"),
    ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", False, "a sha256 stays"),
    ("356a192b7913b04c54574d18c28d46e6395428ab", False, "a git object stays"),
    ("356A192b7913b04c54574d18c28d46e6395428ab", False, "40 hex digits stay in any case"),
    ("550e8400-e29b-41d4-a716-446655440000", False, "a UUID stays"),
    ("01ARZ3NDEKTSV4RRFFQ69G5FAV", False, "a ULID stays"),
    ("sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+Q==",
     False, "a labelled digest stays"),
    ("SHA256:uNiVztksCsDhcc0u9e8BrZJXVhPYHlXzKBpA7AW0Yqs", False, "a key's fingerprint stays"),
    ("BackgroundTaskSchedulerConfigurationFactoryImpl", False, "words in camel case stay"),
    ("src/recollect/privacy/test_unbalanced_quotes_Are_Refused.py", False, "paths stay"),
    ("/srv/data/Kx9fLm3Qw8Zr5Tn2Vb7Hc4Jd6.bin", False, "an absolute path stays, as published"),
    ("/Kx9fLm3Qw8Zr5Tn2Vb7Hc4Jd6Gs1Pa0Uy4Ei8Ro", True, "base64 may begin with a slash"),
    ("https://docs.example.com/d/1aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU", False, "a URL stays"),
    ("team-production-backup-aB3dE5fG7hI9jK1lM3nO5pQ7", True, "a random piece behind words"),
    ("nginx-deployment-7fb96c846b-x7k2p", False, "a pod stays"),
    ("xK9mP2vL5nQ8wR3tY6uI1oP4", True, "24 random characters"),
    ("xK9mP2vL5nQ8wR3t", False, "too short to tell"),
    ("人工智能系统的内存管理模块需要进一步优化和完善", False, "text without spaces stays"),
]  # fmt: skip


@pytest.mark.parametrize(("strand", "found", "because"), STRANDS, ids=[row[-1] for row in STRANDS])
def test_a_strand_is_a_credential_when_it_is_random(strand: str, found: bool, because: str) -> None:
    assert bool(find_credentials(f"see {strand} there", 4.0, 20)) is found


def test_only_the_random_part_is_a_credential() -> None:
    text = "get (team-production-backup-aB3dE5fG7hI9jK1lM3nO5pQ7==) now"
    assert [text[start:end] for start, end in find_credentials(text, 4.0, 20)] == [
        "aB3dE5fG7hI9jK1lM3nO5pQ7=="
    ]


def test_threshold_and_length_are_the_callers() -> None:
    short, poor = "xK9mP2vL5nQ8wR3t", "q7q7x9x9z3z3k1k1w5w5"
    assert find_credentials(short, 3.5, 16) == [(0, 16)]
    assert find_credentials(poor, 4.0, 20) == []
    assert find_credentials(poor, 3.0, 20) == [(0, 20)]
    assert find_credentials("xK9mP2vL5nQ8wR3tY6uI1oP4", 6.0, 20) == []


def test_entropy_is_measured_in_bits_a_character() -> None:
    assert [entropy("aaaa"), entropy("abab"), entropy("abcd")] == [0.0, 1.0, 2.0]


def test_names_read_like_words() -> None:
    assert is_word_like("get_session_token")
    assert not is_word_like("x7Kq9Zw2Vb")
