//! The terminal: taken over, redrawn now and then, and always restored.

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

/// The time between two frames: faster is not visible, and drawing must not slow the run down.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether we hold the terminal. Restoring it twice would move the cursor back over a panic's message.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A terminal that we hold until this is dropped.
pub(super) struct Screen {
    terminal: DefaultTerminal,
    drawn: Option<Instant>,
}

impl Screen {
    /// Takes over the terminal. A panic in any thread restores it before printing its message.
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
        // On failure, the completed part is undone.
        let terminal = take().inspect_err(|_| give_back())?;
        Ok(Self { terminal, drawn: None })
    }

    /// Redraws and reads the keys, if it is time. Returns whether a key asked to stop.
    pub(super) fn refresh(&mut self, state: &ViewState) -> Result<bool> {
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < PAUSE) {
            return Ok(false);
        }
        self.draw(state)?;
        // Measured after drawing: a slow terminal gets all the time it needs.
        self.drawn = Some(Instant::now());
        asked_to_stop()
    }

    /// Draws, unless another thread's panic has restored the terminal.
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

/// Restores the terminal, once. An error has nowhere to be reported.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = disable_raw_mode();
        let _ = execute!(stdout(), LeaveAlternateScreen, Show);
    }
}

/// Reads the pending keys.
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

/// In raw mode Ctrl-C is a key like any other.
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
