//! Tests of the Monte Carlo search.
