"""Windows that move over images: convolutions and poolings, of arrays (batch, channels, height, width) or without batch."""

from ._arrays import Product, expression
from ._shapes import pad, squeeze


def conv2d(x, weights, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """A convolution as networks have it: `weights` are (outputs, channels / groups, height, width). Without zeros around
    it, the image has to be as large as the window; `padding` adds them. `groups` is 1, or the number of channels."""
    if bias is not None:
        return conv2d(x, weights, None, stride, padding, dilation, groups) + expression(bias)[:, None, None]
    x, weights = expression(x), expression(weights)
    if x.ndim == 3:
        return squeeze(conv2d(x[None], weights, None, stride, padding, dilation, groups), 0)
    if x.ndim != 4 or weights.ndim != 4:
        raise ValueError(f"conv2d of arrays of shapes {x.shape} and {weights.shape}: they have 4 axes, or the image 3")
    if x.dtype != weights.dtype:
        raise TypeError(f"conv2d of dtypes {x.dtype} and {weights.dtype}: convert one of them")
    channels, outputs = x.shape[1], weights.shape[0]
    is_depthwise = groups == channels == outputs and weights.shape[1] == 1
    if not is_depthwise and (groups != 1 or weights.shape[1] != channels):
        raise ValueError(f"conv2d of arrays of shapes {x.shape} and {weights.shape} in {groups} groups")
    x = _padded(x, padding, 0)
    strides, dilations = _pair(stride), _pair(dilation)
    sizes = _places(x, weights.shape[2:], strides, dilations)
    op = "depthwise_conv_2d_nchw_chw" if is_depthwise else "conv_2d_nchw_fchw"
    kernel = squeeze(weights, 1) if is_depthwise else weights
    return Product(_op(op, strides, dilations), x, kernel, (x.shape[0], outputs, *sizes), x.dtype)


def max_pool2d(x, size, stride=None, padding=0):
    """The greatest elements of windows of a size; without `stride` windows are side by side."""
    return _pooled("max", x, size, stride, padding)


def avg_pool2d(x, size, stride=None, padding=0):
    """Means of windows of a size, with the zeros of `padding`; without `stride` windows are side by side."""
    height, width = _pair(size)
    return _pooled("sum", x, size, stride, padding) * (1 / (height * width))


def _pooled(kind, x, size, stride, padding):
    from ._emit import neutral
    from ._levels import empty
    x = expression(x)
    if x.ndim == 3:
        return squeeze(_pooled(kind, x[None], size, stride, padding), 0)
    if x.ndim != 4:
        raise ValueError(f"a pooling of an array of shape {x.shape}: it has 4 axes, or 3")
    first = neutral(kind, x.dtype)
    x = _padded(x, padding, first)
    strides = _pair(size if stride is None else stride)
    sizes = _places(x, _pair(size), strides, (1, 1))
    window = empty(_pair(size), x.dtype).read()  # only its shape counts
    op = _op(f"pooling_nchw_{kind}", strides, (1, 1))
    return Product(op, x, window, (*x.shape[:2], *sizes), x.dtype, first)


def _pair(given):
    pair = tuple(each.__index__() for each in (given if isinstance(given, (tuple, list)) else (given, given)))
    if len(pair) != 2 or min(pair) < 1:
        raise ValueError(f"a positive number, or one for each of the two axes, got {given!r}")
    return pair


def _padded(x, padding, number):
    widths = padding if isinstance(padding, (tuple, list)) else (padding, padding)
    return pad(x, ((0, 0), (0, 0), *((each, each) for each in widths)), constant_values=number) if any(widths) else x


def _places(x, window, strides, dilations):
    """How many windows there are along both axes."""
    spans = [(size - 1) * dilation + 1 for size, dilation in zip(window, dilations)]
    if any(span > size for span, size in zip(spans, x.shape[2:])):
        raise ValueError(f"a window of {spans[0]} x {spans[1]} elements on {x.shape[2]} x {x.shape[3]}")
    return [(size - span) // stride + 1 for size, span, stride in zip(x.shape[2:], spans, strides)]


def _op(name, strides, dilations):
    """With its attributes, as its text begins."""
    dense = lambda pair: f"dense<[{pair[0]}, {pair[1]}]> : tensor<2xi64>"
    return f"linalg.{name} {{dilations = {dense(dilations)}, strides = {dense(strides)}}}"
