"""The errors about frames and their images: branches of the tree in `errors`.

InvalidRequest
├── InvalidImage      bytes that are no image, or too large a one
├── FrameExists       a frame has this id already
└── DuplicateFrame    a frame says the same already
NotFound
└── FrameNotFound
StoreError
└── ImageNotKept      an image of a frame could not be stored, so its frame was not

Nothing of them is ever a reason to overwrite a frame.
"""

from __future__ import annotations

from recollect.model.errors import InvalidRequest, NotFound, StoreError


class InvalidImage(InvalidRequest):
    """The data is not an image."""

    code = "invalid_image"
    hint = "PNG, JPEG, GIF, WebP and SVG are kept, up to 10 MiB each."


class FrameExists(InvalidRequest):
    """There is a frame with this id already."""

    code = "frame_exists"


class DuplicateFrame(InvalidRequest):
    """A frame with the same content already exists."""

    code = "duplicate_frame"


class FrameNotFound(NotFound):
    """There is no such frame, or no such image of it."""

    code = "frame_not_found"


class ImageNotKept(StoreError):
    """An image could not be stored; its frame was not stored either."""

    code = "image_not_kept"
