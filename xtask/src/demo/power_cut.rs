//! A power cut, in words.

use osculate::StateError;
use osculate_apps::room::telemetry::Start;
use osculate_apps::store::Origin;
use osculate_lab::room::power_cut::PowerCut;

/// When power failed and, once it is back, what the device says.
pub(super) fn sentence(cut: &PowerCut) -> String {
    let PowerCut { evening, steps, start } = cut;
    let started = start.as_ref().map_or_else(String::new, |start| format!("; {}", started(start)));
    format!("power cut in evening {evening} after {steps} steps{started}")
}

fn started(start: &Start) -> String {
    match start.origin {
        Origin::Checkpoint(number) => {
            let evenings = if start.evenings == 1 { "evening" } else { "evenings" };
            format!("checkpoint {number} restored, {} {evenings} kept", start.evenings)
        }
        Origin::NothingStored => "no checkpoint found, it begins anew".to_owned(),
        Origin::Refused(why) => format!("the checkpoint is refused ({why}), it begins anew"),
        Origin::Unreadable(error) => format!("{error}, it begins anew"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restored_checkpoint_and_a_lost_one_are_told_apart() {
        let told =
            |origin, evenings| sentence(&PowerCut { evening: 20, steps: 31, start: Some(Start { origin, evenings }) });
        let cut = "power cut in evening 20 after 31 steps";
        assert_eq!(sentence(&PowerCut { evening: 20, steps: 31, start: None }), cut);
        assert_eq!(told(Origin::Checkpoint(19), 19), format!("{cut}; checkpoint 19 restored, 19 evenings kept"));
        for lost in [Origin::NothingStored, Origin::Refused(StateError::OtherRule)] {
            let told = told(lost, 0);
            assert!(told.ends_with("it begins anew") && !told.contains("restored"), "{told}");
        }
    }
}
