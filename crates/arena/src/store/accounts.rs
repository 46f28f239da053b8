//! Accounts of agents that play over the network, each in one environment, and their ratings.
//!
//! The store has only the hashes of passwords.

use rusqlite::{Row, params};

use super::error::{StoreError, StoreProblem};
use super::{Store, now};

/// An agent that may play in an environment.
#[derive(Clone, PartialEq, Debug)]
pub struct Account {
    /// Its environment.
    pub environment: String,
    /// Its name there.
    pub name: String,
    /// The SHA-256 hash of its password.
    pub hash: [u8; 32],
    /// Whether it is blocked.
    pub blocked: bool,
    /// How many runs it has finished.
    pub finished: u64,
    /// The best rating it has had, once it was fully evaluated.
    pub best: Option<f64>,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
}

const COLUMNS: &str = "environment, name, hash, blocked, finished, best, created";

impl Store {
    /// Creates an account; `false` if the name is taken.
    pub fn add_account(
        &self,
        environment: &str,
        name: &str,
        hash: &[u8; 32],
    ) -> Result<bool, StoreError> {
        let sql = "INSERT OR IGNORE INTO accounts (environment, name, hash, created) \
                   VALUES (?1, ?2, ?3, ?4)";
        self.change_account(sql, params![environment, name, hash, now()])
    }

    /// The account of this name.
    pub fn account(&self, environment: &str, name: &str) -> Result<Option<Account>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM accounts WHERE environment = ?1 AND name = ?2");
        self.at(self.row(&sql, [environment, name], read_account))
    }

    /// The accounts of an environment, or all accounts, by name.
    pub fn accounts(&self, environment: Option<&str>) -> Result<Vec<Account>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM accounts WHERE ?1 IS NULL OR environment = ?1 \
             ORDER BY environment, name"
        );
        self.at(self.rows(&sql, [environment], read_account))
    }

    /// Gives an account a new password and unblocks it; `false` if there is no such account.
    pub fn set_password(
        &self,
        environment: &str,
        name: &str,
        hash: &[u8; 32],
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE accounts SET hash = ?3, blocked = 0 WHERE environment = ?1 AND name = ?2";
        self.change_account(sql, params![environment, name, hash])
    }

    /// Blocks or unblocks an account; `false` if there is no such account.
    pub fn set_blocked(
        &self,
        environment: &str,
        name: &str,
        blocked: bool,
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE accounts SET blocked = ?3 WHERE environment = ?1 AND name = ?2";
        self.change_account(sql, params![environment, name, blocked])
    }

    /// Removes an account with all its runs; `false` if there is no such account.
    pub fn remove_account(&self, environment: &str, name: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM accounts WHERE environment = ?1 AND name = ?2";
        self.change_account(sql, params![environment, name])
    }

    fn change_account(
        &self,
        sql: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<bool, StoreError> {
        let changed = self.together(|connection| {
            connection.prepare_cached(sql)?.execute(values).map_err(StoreProblem::from)
        });
        self.at(changed.map(|rows| rows > 0))
    }
}

fn read_account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        environment: row.get(0)?,
        name: row.get(1)?,
        hash: row.get(2)?,
        blocked: row.get(3)?,
        finished: row.get(4)?,
        best: row.get(5)?,
        created_at: row.get(6)?,
    })
}
