//! Actions and checks on a page.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::error::WebDriverResult;
use thirtyfour::{By, TypingData};

use crate::common::id;
use crate::harness::Visit;

/// How long anything may take to appear: far more than needed, for busy machines.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(15);

/// The interactive board.
pub const BOARD: &str = ":is([data-board=live], [data-board=analysis])";
/// Stands for a person in a new game.
pub const PERSON: &str = "";

impl Visit {
    /// Goes to an address of the server and waits for its page.
    pub fn open(&self, path: &str) {
        let address = format!("{}{path}", self.origin);
        self.runtime.block_on(self.driver.goto(address)).expect("the address opens");
        self.wait(path, "document.querySelector('main[data-page]')");
    }

    /// Waits for the page of this name.
    pub fn arrive(&self, name: &str) {
        self.wait(
            &format!("the page {name}"),
            &format!("document.querySelector('main[data-page={name}] h1')"),
        );
    }

    /// The value of a JavaScript expression.
    pub fn ask(&self, expression: &str) -> Value {
        self.ask_about(expression, Vec::new())
    }

    /// The value of an expression that uses `arguments`.
    pub fn ask_about(&self, expression: &str, arguments: Vec<Value>) -> Value {
        let script = format!("return ({expression})");
        let answer = self.runtime.block_on(self.driver.execute(script, arguments));
        answer.unwrap_or_else(|error| panic!("{expression}: {error}")).json().clone()
    }

    /// Waits until an expression is truthy, and returns its value.
    pub fn wait(&self, what: &str, expression: &str) -> Value {
        self.until(what, || {
            let value = self.ask(expression);
            let is_true = !matches!(value, Value::Null | Value::Bool(false)) && value != json!(0);
            is_true.then_some(value)
        })
    }

    /// Waits until `look` finds something.
    pub fn until<T>(&self, what: &str, look: impl Fn() -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look() {
                return found;
            }
            if Instant::now() > end {
                panic!("never: {what}; the page says: {}", self.ask("document.body.innerText"));
            }
            thread::sleep(PAUSE);
        }
    }

    /// Clicks on the element with this selector, as soon as possible.
    pub fn click(&self, selector: &str) {
        self.do_to(selector, "clicked", |visit| {
            visit
                .runtime
                .block_on(async { visit.driver.find(By::Css(selector)).await?.click().await })
        });
    }

    /// Replaces the text of a field.
    pub fn fill(&self, selector: &str, text: &str) {
        self.do_to(selector, "filled in", |visit| {
            visit.runtime.block_on(async {
                let field = visit.driver.find(By::Css(selector)).await?;
                field.clear().await?;
                field.send_keys(text).await
            })
        });
    }

    /// Chooses an option of a list.
    pub fn choose(&self, selector: &str, value: &str) {
        self.click(&format!("{selector} option[value=\"{value}\"]"));
    }

    /// Retries, because the element may be covered or redrawn meanwhile.
    fn do_to(&self, selector: &str, what: &str, act: impl Fn(&Visit) -> WebDriverResult<()>) {
        let end = Instant::now() + PATIENCE;
        while let Err(error) = act(self) {
            assert!(Instant::now() < end, "{selector} cannot be {what}: {error}");
            thread::sleep(PAUSE);
        }
    }

    /// Presses a key, wherever the focus is.
    pub fn press(&self, key: impl Into<TypingData>) {
        let pressed = self.driver.action_chain().send_keys(key);
        self.runtime.block_on(pressed.perform()).expect("a key can be pressed");
    }

    /// The text of the element with this selector, once there is some.
    pub fn text(&self, selector: &str) -> String {
        let look = "document.querySelector(arguments[0])?.textContent.trim()";
        self.until(selector, || {
            let text = self.ask_about(look, vec![json!(selector)]);
            text.as_str().filter(|text| !text.is_empty()).map(str::to_string)
        })
    }

    /// Waits until this element contains these words.
    pub fn says(&self, selector: &str, words: &str) {
        let look = "document.querySelector(arguments[0])?.textContent.includes(arguments[1])";
        let what = format!("{selector} says {words:?}");
        self.until(&what, || {
            (self.ask_about(look, vec![json!(selector), json!(words)]) == true).then_some(())
        });
    }

    /// The number of elements with this selector.
    pub fn count(&self, selector: &str) -> usize {
        let count =
            self.ask_about("document.querySelectorAll(arguments[0]).length", vec![json!(selector)]);
        count.as_u64().unwrap_or_default() as usize
    }

    /// Waits until there are none.
    pub fn gone(&self, selector: &str) {
        self.until(&format!("{selector} is gone"), || (self.count(selector) == 0).then_some(()));
    }

    /// Sends a command of the developer tools.
    pub fn tool(&self, method: &str, parameters: Value) -> Value {
        let sent = self.driver.cdp();
        self.runtime
            .block_on(sent.send_raw(method, parameters))
            .expect("the browser knows the command")
    }

    /// Starts a game and opens its page. Agents are given by their text; an empty text is a person.
    pub fn sit_down(&self, variant: &str, position: Option<&str>, seats: &[&str]) -> String {
        let seat = |agent: &&str| match *agent {
            PERSON => json!({"kind": "human"}),
            agent => json!({"kind": "agent", "agent": agent}),
        };
        let seats: Vec<Value> = seats.iter().map(seat).collect();
        let wanted = json!({"variant": variant, "position": position, "seats": seats});
        let game = self.client.post("/api/games", &wanted).ok();
        self.open(&format!("/play/{}", id(&game)));
        self.arrive("game");
        id(&game).to_string()
    }

    /// The game as the server knows it.
    pub fn truth(&self, id: &str) -> Value {
        self.client.get(&format!("/api/games/{id}")).ok()
    }
}
