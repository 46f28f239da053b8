//! Waiting for a worker thread, with the GIL released and Ctrl-C working.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use agon_search::StopFlag;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often signals are checked.
const INTERVAL: Duration = Duration::from_millis(50);

/// How long to wait for a thread that was told to stop. A Python player may not react.
const PATIENCE: Duration = Duration::from_secs(2);

/// Work that runs in its own thread and sends its results.
pub(crate) struct Work<T> {
    /// Behind a lock, as Python may call from several threads.
    messages: Mutex<Receiver<T>>,
    stop: StopFlag,
}

impl<T: Send + 'static> Work<T> {
    /// Starts the work, which gets a function to send messages.
    pub fn begin(stop: StopFlag, work: impl FnOnce(&dyn Fn(T)) + Send + 'static) -> Work<T> {
        let (sender, messages) = channel();
        // The receiver may be gone.
        let send = move |message| drop(sender.send(message));
        thread::spawn(move || work(&send));
        Work { messages: Mutex::new(messages), stop }
    }

    /// The next message. A signal stops the work and is raised here.
    pub fn next(&self, py: Python<'_>) -> PyResult<T> {
        loop {
            match py.detach(|| self.receive(INTERVAL)) {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupt) = py.check_signals() {
                        self.stop.stop();
                        py.detach(|| self.let_end());
                        return Err(interrupt);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the search thread crashed"));
                }
            }
        }
    }

    /// Asks the work to stop soon.
    pub fn stop(&self) {
        self.stop.stop();
    }

    fn receive(&self, patience: Duration) -> Result<T, RecvTimeoutError> {
        let messages = self.messages.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        messages.recv_timeout(patience)
    }

    fn let_end(&self) {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline
            && !matches!(self.receive(INTERVAL), Err(RecvTimeoutError::Disconnected))
        {}
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.stop.stop();
    }
}
