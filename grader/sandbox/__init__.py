"""The walls around a learner's process, and what runs behind them."""
