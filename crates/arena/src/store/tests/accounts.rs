//! Accounts and their runs: what is finished stays finished, and is counted once.

use super::*;

const HASH: [u8; 32] = [7; 32];

fn run(id: u64, acts: u64) -> StoredRun {
    StoredRun {
        id,
        environment: "env".into(),
        agent: "ann".into(),
        acts,
        asked: true,
        document: format!("{{\"acts\":{acts}}}"),
        outcome: None,
        updated_at: 1,
    }
}

fn finish(id: u64, outcome: f64, best: Option<f64>) -> RunChange {
    RunChange::Finish { run: StoredRun { outcome: Some(outcome), ..run(id, 9) }, best }
}

fn with_account() -> (tempfile::TempDir, Store) {
    let (folder, store) = empty();
    assert!(store.add_account("env", "ann", &HASH).unwrap());
    (folder, store)
}

#[test]
fn accounts_are_made_once_blocked_and_removed() {
    let (_folder, store) = with_account();
    assert!(!store.add_account("env", "ann", &[1; 32]).unwrap(), "the first one stays");
    assert!(store.add_account("other", "ann", &[1; 32]).unwrap());
    let account = store.account("env", "ann").unwrap().unwrap();
    assert_eq!((account.hash, account.blocked, account.finished), (HASH, false, 0));
    assert!(store.set_blocked("env", "ann", true).unwrap());
    assert!(store.account("env", "ann").unwrap().unwrap().blocked);
    assert!(store.set_password("env", "ann", &[2; 32]).unwrap());
    let account = store.account("env", "ann").unwrap().unwrap();
    assert_eq!((account.hash, account.blocked), ([2; 32], false));
    assert!(!store.set_blocked("env", "bob", true).unwrap());
    assert_eq!(store.accounts(None).unwrap().len(), 2);
    store.change_runs(&[RunChange::Put(run(1, 0))]).unwrap();
    assert!(store.remove_account("env", "ann").unwrap());
    assert!(!store.remove_account("env", "ann").unwrap());
    assert_eq!(store.run(1).unwrap(), None, "runs go with their account");
    assert_eq!(store.accounts(Some("other")).unwrap().len(), 1);
}

#[test]
fn a_run_goes_on_ends_once_and_stays_as_it_was() {
    let (_folder, store) = with_account();
    assert_eq!(store.next_run().unwrap(), 1);
    store.change_runs(&[RunChange::Put(run(1, 0)), RunChange::Put(run(2, 0))]).unwrap();
    store.change_runs(&[RunChange::Put(run(1, 3))]).unwrap();
    let open: Vec<(u64, u64)> =
        store.open_runs("env", "ann").unwrap().iter().map(|run| (run.id, run.acts)).collect();
    assert_eq!(open, [(1, 3), (2, 0)]);
    store.change_runs(&[finish(1, 2.0, None)]).unwrap();
    let over = store.run(1).unwrap().unwrap();
    assert_eq!((over.outcome, over.asked, over.acts), (Some(2.0), false, 9));
    for again in [finish(1, 0.0, None), RunChange::Put(run(1, 10))] {
        assert!(store.change_runs(&[again]).is_err());
    }
    assert_eq!(store.run(1).unwrap().unwrap(), over);
    assert_eq!(store.account("env", "ann").unwrap().unwrap().finished, 1);
    assert_eq!(store.open_runs("env", "ann").unwrap().len(), 1);
    store.check().unwrap();
}

#[test]
fn outcomes_are_in_the_order_in_which_runs_ended() {
    let (_folder, store) = with_account();
    for id in [3, 1, 2, 5, 4] {
        store.change_runs(&[finish(id, id as f64, Some(id as f64))]).unwrap();
    }
    assert_eq!(store.outcomes("env", "ann", 50).unwrap(), [3.0, 1.0, 2.0, 5.0, 4.0]);
    assert_eq!(store.outcomes("env", "ann", 2).unwrap(), [5.0, 4.0]);
    let last: Vec<u64> =
        store.finished_runs("env", "ann", 3).unwrap().iter().map(|run| run.id).collect();
    assert_eq!(last, [4, 5, 2]);
    let account = store.account("env", "ann").unwrap().unwrap();
    assert_eq!((account.finished, account.best), (5, Some(4.0)));
    assert_eq!(store.next_run().unwrap(), 6);
}

#[test]
fn nobody_writes_into_the_run_of_another() {
    let (_folder, store) = with_account();
    store.add_account("env", "bob", &HASH).unwrap();
    store.change_runs(&[RunChange::Put(run(1, 0))]).unwrap();
    let stolen = StoredRun { agent: "bob".into(), ..run(1, 1) };
    assert!(store.change_runs(&[RunChange::Put(stolen)]).is_err());
    let nobody = StoredRun { agent: "eve".into(), ..run(2, 0) };
    assert!(store.change_runs(&[RunChange::Put(nobody)]).is_err());
    assert_eq!(store.run(1).unwrap().unwrap().agent, "ann");
}
