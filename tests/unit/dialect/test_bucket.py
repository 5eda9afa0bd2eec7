"""A bucket gives its size at once, and then as much as time brings."""

from __future__ import annotations

import pytest

from recollect.dialect.bucket import Bucket, Buckets, Room
from recollect.model.errors import RateLimited
from recollect.settings.values import rate_of

RATES = [
    ("100/15m", (100, 900_000)),
    ("1/s", (1, 1_000)),
    (" 5/2h ", (5, 7_200_000)),
    ("1000/1d", (1_000, 86_400_000)),
]
NO_RATES = ["", "100", "100/", "/m", "0/1m", "5/0s", "-1/1m", "1.5/1m", "100/15", "100/15w", "a/b"]


def taken(bucket: Bucket, *times: int) -> list[int]:
    """For each try 0, or after how many seconds to come again."""
    waits = []
    for at in times:
        try:
            bucket.take(at)
        except RateLimited as error:
            waits.append(error.context["retry_after"])
        else:
            waits.append(0)
    return waits  # type: ignore[return-value]


@pytest.mark.parametrize(("text", "rate"), RATES)
def test_a_rate_is_a_number_of_requests_in_a_time(text: str, rate: tuple[int, int]) -> None:
    assert rate_of(text) == rate


@pytest.mark.parametrize("text", NO_RATES)
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"rate such as|nothing at all"):
        rate_of(text)


def test_so_many_at_once_and_then_one_by_one() -> None:
    bucket = Bucket(3, 60_000)

    assert taken(bucket, 0, 0, 0, 0, 19_999, 20_000, 20_000) == [0, 0, 0, 20, 1, 0, 20]


def test_a_refused_request_costs_nothing() -> None:
    bucket = Bucket(1, 1_000)

    assert taken(bucket, 0, *range(1, 1_000), 1_000) == [0, *[1] * 999, 0]


def test_it_never_holds_more_than_its_size() -> None:
    bucket = Bucket(2, 1_000)

    assert taken(bucket, 0, 10**9, 10**9, 10**9) == [0, 0, 0, 1]


def test_a_clock_that_is_put_back_brings_nothing() -> None:
    bucket = Bucket(1, 1_000)

    assert taken(bucket, 5_000, 1_000, 1_999, 2_000) == [0, 1, 1, 0]


def test_what_is_left_is_told() -> None:
    bucket = Bucket(3, 60_000)

    assert bucket.take(0) == Room(limit=3, window=60, left=2, reset=20)
    assert bucket.take(0) == Room(limit=3, window=60, left=1, reset=40)
    assert bucket.take(30_000) == Room(limit=3, window=60, left=1, reset=30)
    bucket.take(30_000)
    with pytest.raises(RateLimited) as refusal:
        bucket.take(30_000)
    assert refusal.value.context == {
        "retry_after": 10,
        "room": Room(limit=3, window=60, left=0, reset=50),
    }


def test_each_client_has_a_bucket_of_its_own() -> None:
    buckets = Buckets(1, 1_000, most=2)
    for client in ("a", "b"):
        assert buckets.take(client, 0).left == 0
    with pytest.raises(RateLimited):
        buckets.take("a", 0)
    buckets.take("c", 0)
    assert buckets.take("b", 0).left == 0, "whoever was not seen for longest makes room"
    with pytest.raises(RateLimited):
        buckets.take("c", 0)
