"""Operators of nonuniform transforms: weights for the density of points, and A^H W A."""

import numpy as np
import pytest
from support import random_array

import imago.nufft
from imago.nufft import ArgumentError, NormalOperator, density_compensation


def radial(spokes, samples):
    """Returns points on spokes, as in radial MRI."""
    angles = np.pi * np.arange(spokes)[:, None] / spokes
    radii = np.linspace(-np.pi, np.pi, samples, endpoint=False)
    return (radii * np.cos(angles)).ravel(), (radii * np.sin(angles)).ravel()


def test_density_compensation_restores_a_radial_image():
    points, n = radial(101, 128), 64
    image = np.zeros((n, n), complex)
    image[20:40, 25:45] = 1
    image[30:35, 10:50] += 1
    values = imago.nufft.nufft2d2(*points, image)
    errors = {}
    for iterations in (1, 20):
        weights = density_compensation(points, (n, n), iterations=iterations)
        restored = imago.nufft.nufft2d1(*points, values * weights, (n, n))
        errors[iterations] = np.linalg.norm(restored - image) / np.linalg.norm(image)
    assert errors[20] < 0.02 < 5 * errors[20] < errors[1]
    ramp = np.hypot(*points)
    restored = imago.nufft.nufft2d1(*points, values * ramp, (n, n))
    restored *= abs(image).sum() / abs(restored).sum()
    assert np.linalg.norm(restored - image) / np.linalg.norm(image) > 5 * errors[20]


def test_weights_of_even_points_are_equal():
    x = 2 * np.pi * np.arange(64) / 64 - np.pi
    weights = density_compensation([x.astype("f4")], [16])
    assert weights.dtype == np.float32
    np.testing.assert_allclose(weights, 1 / 64, 1e-3)


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_the_normal_operator_is_both_transforms(axes):
    modes = (12, 9, 8)[:axes]
    points = np.random.default_rng(3).uniform(-np.pi, np.pi, (axes, 200))
    weights = np.random.default_rng(4).uniform(0.5, 2, 200)
    images = random_array((2, *modes), "c16")
    forward = getattr(imago.nufft, f"nufft{axes}d2")
    adjoint = getattr(imago.nufft, f"nufft{axes}d1")
    for isign in (-1, 1):
        values = forward(*points, images, eps=1e-10, isign=isign)
        exact = adjoint(*points, weights * values, modes, eps=1e-10, isign=-isign)
        normal = NormalOperator(points, modes, weights, isign=isign, batch=2, eps=1e-10)
        assert normal.shape == images.shape
        assert np.linalg.norm(normal(images) - exact) < 1e-8 * np.linalg.norm(exact)
    single = NormalOperator(points.astype("f4"), modes, batch=2)
    values = forward(*points, images, eps=1e-10)
    exact = adjoint(*points, values, modes, eps=1e-10)
    found = single(images.astype("c8"))
    assert found.dtype == np.complex64
    assert np.linalg.norm(found - exact) < 1e-4 * np.linalg.norm(exact)


def test_conjugate_gradients_find_the_image():
    points, n = radial(40, 48), 24
    image = random_array((n, n), "c16")
    values = imago.nufft.nufft2d2(*points, image, eps=1e-10)
    normal = NormalOperator(points, (n, n), eps=1e-10)
    right = imago.nufft.nufft2d1(*points, values, (n, n), eps=1e-10)
    found, residual = np.zeros_like(image), right
    step, size = residual, np.vdot(residual, residual).real
    for _ in range(60):
        product = normal(step)
        length = size / np.vdot(step, product).real
        found, residual = found + length * step, residual - length * product
        size, before = np.vdot(residual, residual).real, size
        step = residual + size / before * step
    away = imago.nufft.nufft2d2(*points, found, eps=1e-10) - values
    assert np.linalg.norm(away) < 1e-2 * np.linalg.norm(values)


def test_wrong_arguments_of_operators():
    x = np.zeros(3)
    with pytest.raises(ArgumentError, match="n_modes is .* it must have 1 elements"):
        density_compensation([x], (4, 4))
    with pytest.raises(ArgumentError, match="n_modes is .* it must have 2 elements"):
        NormalOperator([x, x], [4])
    with pytest.raises(ArgumentError, match="iterations is 0"):
        density_compensation([x], [4], iterations=0)
    with pytest.raises(ArgumentError, match="weights has shape"):
        NormalOperator([x], [4], np.ones(2))
    with pytest.raises(ValueError, match="x has shape"):
        NormalOperator([x], [4])(np.ones(5))
