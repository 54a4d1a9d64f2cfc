//! The terminal: taken, drawn on now and then, and given back whatever happens.

use std::io::{self, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::{DefaultTerminal, Terminal};

use super::layout;
use super::state::ViewState;

/// Between two pictures: eyes see no more, and drawing must not slow the run down.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether the terminal is ours. Giving it back twice would put the cursor where it was before, onto what a panic said.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A terminal that is ours until this is dropped.
pub(super) struct Screen {
    terminal: DefaultTerminal,
    drawn: Option<Instant>,
}

impl Screen {
    /// Takes the terminal; a panic, in whatever thread, gives it back before it says anything.
    pub(super) fn take() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                give_back();
                before(panic);
            }));
        });
        TAKEN.store(true, Ordering::SeqCst);
        let take = || {
            enable_raw_mode()?;
            execute!(stdout(), EnterAlternateScreen)?;
            Terminal::new(CrosstermBackend::new(stdout()))
        };
        // What it had done before it failed is undone.
        let terminal = take().inspect_err(|_| give_back())?;
        Ok(Self { terminal, drawn: None })
    }

    /// Draws and looks at the keys, if it is time again. Returns whether one of them asked to stop.
    pub(super) fn refresh(&mut self, state: &ViewState) -> Result<bool> {
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < PAUSE) {
            return Ok(false);
        }
        self.draw(state)?;
        // From after drawing: a slow terminal gets all the time it needs.
        self.drawn = Some(Instant::now());
        asked_to_stop()
    }

    /// Draws, unless another thread's panic has given the terminal back.
    pub(super) fn draw(&mut self, state: &ViewState) -> Result<()> {
        if TAKEN.load(Ordering::SeqCst) {
            self.terminal.draw(|frame| layout::draw(frame, state)).context("cannot draw on the terminal")?;
        }
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Once. There is nobody to tell where it does not work.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = disable_raw_mode();
        let _ = execute!(stdout(), LeaveAlternateScreen, Show);
    }
}

/// Reads the keys that are there already.
fn asked_to_stop() -> Result<bool> {
    let mut asked = false;
    let failed = "cannot read from the terminal";
    while event::poll(Duration::ZERO).context(failed)? {
        if let Event::Key(key) = event::read().context(failed)? {
            asked |= stops(&key);
        }
    }
    Ok(asked)
}

/// In this mode Ctrl-C is a key like any other.
fn stops(key: &KeyEvent) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let stop = match key.code {
        KeyCode::Char('c') => control,
        KeyCode::Char('q') | KeyCode::Esc => true,
        _ => false,
    };
    stop && key.kind != KeyEventKind::Release
}

#[cfg(test)]
mod tests {
    use super::{KeyCode, KeyEvent, KeyModifiers, stops};

    #[test]
    fn some_keys_stop() {
        let key = |letter, modifiers| stops(&KeyEvent::new(KeyCode::Char(letter), modifiers));
        assert!(key('c', KeyModifiers::CONTROL) && key('q', KeyModifiers::NONE));
        assert!(!key('c', KeyModifiers::NONE) && !key('x', KeyModifiers::CONTROL));
    }
}
