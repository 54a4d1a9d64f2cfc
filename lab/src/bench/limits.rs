//! What the library promises to cost at most, in one table: the bench shows it, the test `budget` enforces it.
//!
//! The budget notices when something grows; a limit is a number that we say in public.

use super::report::Report;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Instructions of a part with this number of rows.
    Instructions(&'static str, u32),
    /// Instructions of a part per row or sample.
    PerRow(&'static str, u32),
    /// Instructions of a part per multiply-accumulate.
    PerMac(&'static str, u32),
    /// The model's cycles of a part per row or sample.
    CyclesPerRow(&'static str, u32),
    /// The model's cycles of a part per multiply-accumulate.
    CyclesPerMac(&'static str, u32),
    /// Bytes of stack of a part.
    Stack(&'static str, u32),
    /// Instructions of a part near the solution, relative to the other part, far from it.
    Near(&'static str, &'static str),
    /// The model's cycles of pass 1, relative to plain Rust.
    Naive,
    /// Bytes of flash of a program, as the recommended profile builds it.
    Flash(&'static str),
}

/// A limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Its name.
    pub name: &'static str,
    /// The board, by its name in `boards.toml`.
    pub board: &'static str,
    /// The arithmetic.
    pub arith: &'static str,
    /// Features.
    pub n: u32,
    /// What is limited.
    pub what: What,
    /// The largest value allowed.
    pub most: f64,
}

impl Limit {
    /// The measured value, if it is in the report.
    pub fn measured(&self, report: &Report) -> Option<f64> {
        let find = |kernel, tau| report.find(self.board, self.arith, kernel, self.n, tau);
        match self.what {
            What::Instructions(kernel, tau) => Some(find(kernel, tau)?.instructions.into()),
            What::PerRow(kernel, tau) => Some(find(kernel, tau)?.per_row()),
            What::PerMac(kernel, tau) => find(kernel, tau)?.per_mac(),
            What::CyclesPerRow(kernel, tau) => find(kernel, tau)?.cycles_per_row(),
            What::CyclesPerMac(kernel, tau) => find(kernel, tau)?.cycles_per_mac(),
            What::Stack(kernel, tau) => Some(find(kernel, tau)?.stack.into()),
            What::Near(near, far) => Some(find(near, 32)?.per_row() / find(far, 32)?.per_row()),
            What::Naive => Some(find("pass1", 32)?.cycles_per_row()? / find("naive_pass1", 32)?.cycles_per_row()?),
            What::Flash(program) => {
                let wanted = (self.board, self.arith, program, "recommended");
                let is_wanted = |s: &&super::report::Size| {
                    (s.board.as_str(), s.arith.as_str(), s.program.as_str(), s.opt_level.as_str()) == wanted
                };
                Some(report.sizes.iter().find(is_wanted)?.flash.into())
            }
        }
    }

    /// `measured / limit: name`, with more digits for ratios than for counts.
    pub fn line(&self, measured: Option<f64>) -> String {
        let digits = if self.most < 10.0 { 2 } else { 0 };
        let is = measured.map_or("not measured".into(), |is| format!("{is:.digits$}"));
        let over = if measured.is_some_and(|is| is > self.most) { "  exceeded" } else { "" };
        format!("{is:>12} / {:<7.digits$} {}{over}", self.most, self.name)
    }
}

const M4F: &str = "mps2-an386";
const M0: &str = "microbit";
const M33_DSP: &str = "mps2-an505-dsp";

const fn limit(
    name: &'static str,
    (board, arith, n): (&'static str, &'static str, u32),
    what: What,
    most: f64,
) -> Limit {
    Limit { name, board, arith, n, what, most }
}

const PASS_NEAR: What = What::Near("pass1_near", "pass1_cached");
const UPDATE_NEAR: What = What::Near("update_near", "update");

/// Whether something in this arithmetic has a limit on this board.
pub fn is_limited(board: &str, arith: &str) -> bool {
    LIMITS.iter().any(|limit| (limit.board, limit.arith) == (board, arith))
}

/// All of them. A row of `tracking` with γ = 0 has none until blended NLMS replaces it: it is built like any other row.
pub const LIMITS: &[Limit] = &[
    limit("f32 pass 1, n = 8, instructions a row", (M4F, "f32", 8), What::PerRow("pass1", 32), 85.0),
    limit("f32 pass 1, n = 8, model cycles a row", (M4F, "f32", 8), What::CyclesPerRow("pass1", 32), 170.0),
    limit("f32 pass 1, n = 16, instructions a row", (M4F, "f32", 16), What::PerRow("pass1", 32), 135.0),
    limit("f32 pass 1, n = 64, instructions per MAC", (M4F, "f32", 64), What::PerMac("pass1", 32), 2.6),
    limit("f32 pass 1, n = 64, model cycles per MAC", (M4F, "f32", 64), What::CyclesPerMac("pass1", 32), 5.0),
    limit("q28 pass 1, n = 64, instructions per MAC", (M4F, "q28", 64), What::PerMac("pass1", 32), 2.3),
    limit("q28 pass 1 on the M33 with DSP, n = 64, per MAC", (M33_DSP, "q28", 64), What::PerMac("pass1", 32), 2.35),
    limit("f32 pass 1, n = 8, cycles against plain Rust", (M4F, "f32", 8), What::Naive, 1.0),
    limit("f32 pass 1, n = 10, cycles against plain Rust", (M4F, "f32", 10), What::Naive, 1.0),
    limit("f32 pass 1, n = 16, cycles against plain Rust", (M4F, "f32", 16), What::Naive, 1.0),
    limit("f32 pass 1, n = 64, cycles against plain Rust", (M4F, "f32", 64), What::Naive, 1.0),
    limit("q28 update, n = 64", (M4F, "q28", 64), What::Instructions("update", 32), 31_000.0),
    limit("q28 update, n = 10", (M4F, "q28", 10), What::Instructions("update", 32), 10_500.0),
    limit("q28 update on the M0, n = 10", (M0, "q28", 10), What::Instructions("update", 32), 34_000.0),
    limit("f32 pass 1 near the solution, n = 10, relative", (M4F, "f32", 10), PASS_NEAR, 1.1),
    limit("f32 update near the solution, n = 10, relative", (M4F, "f32", 10), UPDATE_NEAR, 1.1),
    limit("f32 pass 1 near the solution, n = 64, relative", (M4F, "f32", 64), PASS_NEAR, 1.1),
    limit("f32 update near the solution, n = 64, relative", (M4F, "f32", 64), UPDATE_NEAR, 1.1),
    limit("q28 pass 1 near the solution, n = 10, relative", (M4F, "q28", 10), PASS_NEAR, 1.1),
    limit("q28 update near the solution, n = 10, relative", (M4F, "q28", 10), UPDATE_NEAR, 1.1),
    limit("q28 pass 1 near the solution, n = 64, relative", (M4F, "q28", 64), PASS_NEAR, 1.1),
    limit("q28 update near the solution, n = 64, relative", (M4F, "q28", 64), UPDATE_NEAR, 1.1),
    limit("f32 streaming step, n = 10", (M4F, "f32", 10), What::Instructions("stream_step", 1), 450.0),
    limit("q28 streaming step, n = 10", (M4F, "q28", 10), What::Instructions("stream_step", 1), 1_900.0),
    limit("f32 episode of 32 steps, n = 10", (M4F, "f32", 10), What::Instructions("episode", 32), 16_000.0),
    limit("q28 episode of 32 steps, n = 10", (M4F, "q28", 10), What::Instructions("episode", 32), 28_000.0),
    limit("f32 stack of an update, n = 64", (M4F, "f32", 64), What::Stack("update", 31), 800.0),
    limit("q28 stack of an update, n = 64", (M4F, "q28", 64), What::Stack("update", 31), 1_300.0),
    limit("f32 flash of SIM", (M4F, "f32", 16), What::Flash("sim"), 7_680.0),
    limit("q28 flash of SIM", (M4F, "q28", 16), What::Flash("sim"), 12_288.0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_has_a_name_of_its_own() {
        for (i, limit) in LIMITS.iter().enumerate() {
            assert!(LIMITS[..i].iter().all(|other| other.name != limit.name), "{}", limit.name);
        }
    }

    #[test]
    fn a_value_is_taken_from_a_report_or_missing() {
        let text = r#"{"counts": [{"board":"mps2-an386","arith":"f32","kernel":"pass1","n":8,"tau":32,
            "instructions":3200,"macs":768,"model_cycles":6400,"stack":160}],
            "sizes": [{"board":"mps2-an386","arith":"q28","program":"sim","opt_level":"recommended",
            "flash":12345,"static_ram":0}]}"#;
        let report = Report::parse(text).unwrap();
        let line = |name: &str| {
            let limit = LIMITS.iter().find(|limit| limit.name == name).unwrap();
            limit.line(limit.measured(&report))
        };
        assert_eq!(
            line("f32 pass 1, n = 8, instructions a row"),
            "         100 / 85      f32 pass 1, n = 8, instructions a row  exceeded"
        );
        assert_eq!(
            line("f32 pass 1, n = 8, model cycles a row"),
            "         200 / 170     f32 pass 1, n = 8, model cycles a row  exceeded"
        );
        assert_eq!(line("q28 flash of SIM"), "       12345 / 12288   q28 flash of SIM  exceeded");
        assert_eq!(
            line("q28 update near the solution, n = 10, relative"),
            "not measured / 1.10    q28 update near the solution, n = 10, relative"
        );
    }
}
