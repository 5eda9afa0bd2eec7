"""Benchmarks: what Recollect costs, as ratios to a baseline measured in the same run.

`python -m benchmarks` runs them and writes `results/`; README.md says what each measures.
Nothing here is part of the product, and nothing of the product imports it.
"""
