//! The workbench in the browser: pages to play and watch, and the JSON API behind them.
