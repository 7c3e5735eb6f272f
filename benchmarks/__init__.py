"""Speed against raw baselines that do the same reads and writes, in the same run. Start with `python -m benchmarks`."""
