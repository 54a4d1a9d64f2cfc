//! What a device knows about the future of its sensor.

use osculate::features::FeatureMap;
use osculate::{Arithmetic, ConfigError, Predictor, RowError, StateError, Tracking, TrackingConfig};

use super::{GAMMAS, MAP, Moment, N};

/// The predictors of all time scales, in any arithmetic. They are the same as in [`stream`](super::stream), and can be
/// interrupted and saved.
#[derive(Clone, Debug)]
pub struct Nexting<A: Arithmetic> {
    predictors: [Predictor<Tracking<A, N>>; GAMMAS.len()],
    samples: u32,
    /// What the next reading is expected to be, and how far it may be from that.
    next: Option<(f32, f32)>,
    /// Readings are missing between the last sample and the next one.
    is_interrupted: bool,
}

/// A saved state begins with the number of samples.
const HEADER: usize = 4;
/// The length of a predictor's state comes before it.
const LENGTH: usize = 2;

impl<A: Arithmetic> Nexting<A> {
    /// The maximum number of bytes that [`save`](Self::save) needs.
    pub const BYTES: usize = HEADER + GAMMAS.len() * (LENGTH + Predictor::<Tracking<A, N>>::BYTES);

    /// Knows nothing yet.
    ///
    /// # Errors
    /// Never, with these discounts.
    pub fn new() -> Result<Self, ConfigError> {
        let learner = |gamma| Tracking::try_new(TrackingConfig { gamma, ..TrackingConfig::DEFAULT });
        let [a, b, c, d] = GAMMAS.map(learner);
        let predictors = [a?, b?, c?, d?].map(Predictor::new);
        Ok(Self { predictors, samples: 0, next: None, is_interrupted: false })
    }

    /// The number of samples so far, those before a restored checkpoint included.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Learns from a reading. Returns what is expected after it, and how surprising it was: its distance from what was
    /// expected, in units of the band that holds 95 of 100 readings. `None` where nothing was expected yet.
    ///
    /// # Errors
    /// [`RowError`] if it cannot be learned from: it counts as [missed](Self::missed).
    pub fn sample(&mut self, field: [f32; 2]) -> Result<(Moment, Option<f32>), RowError> {
        let learned = self.learn(field);
        if learned.is_err() {
            self.missed();
        }
        learned
    }

    fn learn(&mut self, field: [f32; 2]) -> Result<(Moment, Option<f32>), RowError> {
        let [signal, _] = field;
        let phi = MAP.features(&field)?;
        let mut expected = [0.0; GAMMAS.len()];
        for ((predictor, gamma), expected) in self.predictors.iter_mut().zip(GAMMAS).zip(&mut expected) {
            *expected = match self.is_interrupted {
                true => predictor.begin(&phi)?,
                false => predictor.step((1.0 - gamma) * signal, &phi)?,
            };
        }
        self.is_interrupted = false;
        self.samples = self.samples.wrapping_add(1);
        let [first, ..] = &self.predictors;
        let band = first.band(&phi)?.map(|band| band.next);
        let [next, ..] = expected;
        let surprise = self.next.map(|(expected, band)| (signal - expected).abs() / band);
        self.next = band.filter(|band| *band > 0.0).map(|band| (next, band));
        Ok((Moment { field, expected, band }, surprise.filter(|surprise| surprise.is_finite())))
    }

    /// There is no reading this time. What follows is not the future of what was before.
    pub fn missed(&mut self) {
        (self.is_interrupted, self.next) = (true, None);
    }

    /// Writes everything learned. Returns the number of bytes.
    ///
    /// # Errors
    /// [`StateError::NoRoom`] if the buffer is too short.
    pub fn save(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        let (header, mut rest) = bytes.split_first_chunk_mut::<HEADER>().ok_or(StateError::NoRoom)?;
        *header = self.samples.to_le_bytes();
        let mut used = HEADER;
        for predictor in &self.predictors {
            let (length, state) = rest.split_first_chunk_mut::<LENGTH>().ok_or(StateError::NoRoom)?;
            let count = predictor.save(state)?;
            *length = u16::try_from(count).map_err(|_| StateError::NoRoom)?.to_le_bytes();
            used += LENGTH + count;
            rest = state.get_mut(count..).ok_or(StateError::NoRoom)?;
        }
        Ok(used)
    }

    /// Goes on from saved bytes, after a gap. Returns the number of samples behind them.
    ///
    /// # Errors
    /// [`StateError`] says why the bytes were refused. Nothing has changed then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<u32, StateError> {
        let (samples, mut rest) = bytes.split_first_chunk::<HEADER>().ok_or(StateError::NoState)?;
        let mut predictors = self.predictors.clone();
        for predictor in &mut predictors {
            let (length, states) = rest.split_first_chunk::<LENGTH>().ok_or(StateError::NoState)?;
            let count = u16::from_le_bytes(*length).into();
            let (state, others) = states.split_at_checked(count).ok_or(StateError::NoState)?;
            predictor.restore(state)?;
            rest = others;
        }
        if !rest.is_empty() {
            return Err(StateError::NoState);
        }
        (self.predictors, self.samples) = (predictors, u32::from_le_bytes(*samples));
        self.missed();
        Ok(self.samples)
    }
}

#[cfg(test)]
mod tests {
    use osculate::Q28;

    use super::super::stream;
    use super::*;

    /// A vibration that is never quite the same.
    fn reading(step: u32) -> [f32; 2] {
        let angle = step as f32 * 0.2;
        [0.6 * angle.sin() + 0.2 * (2.0 * angle).cos(), 0.6 * angle.cos() + 0.01 * (step % 7) as f32]
    }

    fn after<A: Arithmetic>(steps: u32) -> Nexting<A> {
        let mut nexting = Nexting::new().unwrap();
        (0..steps).for_each(|step| _ = nexting.sample(reading(step)).unwrap());
        nexting
    }

    fn saved<A: Arithmetic>(nexting: &Nexting<A>) -> ([u8; 2048], usize) {
        let mut bytes = [0; 2048];
        let length = nexting.save(&mut bytes).unwrap();
        (bytes, length)
    }

    #[test]
    fn it_expects_what_the_application_on_the_front_page_expects() {
        let (mut nexting, mut step) = (Nexting::<f32>::new().unwrap(), 0);
        let read = || {
            step += 1;
            Ok::<_, crate::failure::Failure>(reading(step))
        };
        let tell = |moment: Moment| assert_eq!(nexting.sample(moment.field).unwrap().0, moment);
        stream::learn(1000, read, tell).unwrap();
        assert_eq!(nexting.samples(), 1000);
    }

    #[test]
    fn a_jump_is_surprising_and_what_stays_is_not() {
        fn check<A: Arithmetic>() {
            let mut nexting = after::<A>(1000);
            let mut surprises = |steps: core::ops::Range<u32>, offset: f32| {
                let mut sum = 0.0;
                for step in steps.clone() {
                    let [x, y] = reading(step);
                    sum += nexting.sample([x + offset, y]).unwrap().1.unwrap();
                }
                sum / steps.len() as f32
            };
            let (calm, jump, later) =
                (surprises(1000..1400, 0.0), surprises(1400..1402, 1.0), surprises(1402..3000, 1.0));
            assert!(calm < 0.7 && jump > 5.0 && later < 1.0, "{calm} {jump} {later} in {}", A::NAME);
        }
        check::<f32>();
        check::<Q28>();
    }

    #[test]
    fn all_that_was_saved_is_restored() {
        let before = after::<Q28>(500);
        let (bytes, length) = saved(&before);
        assert!(length <= Nexting::<Q28>::BYTES);
        let mut restored = after::<Q28>(3);
        assert_eq!(restored.restore(&bytes[..length]), Ok(500));
        assert_eq!(saved(&restored), (bytes, length));
        // The first reading after the gap is no surprise, and says nothing about what was before it.
        let mut interrupted = before;
        interrupted.missed();
        for step in 900..1000 {
            let (one, two) = (restored.sample(reading(step)).unwrap(), interrupted.sample(reading(step)).unwrap());
            assert_eq!((one, step > 900), (two, two.1.is_some()));
        }
    }

    #[test]
    fn what_is_refused_has_changed_nothing() {
        let (bytes, length) = saved(&after::<Q28>(500));
        let mut nexting = after::<Q28>(10);
        let fresh = saved(&nexting);
        for cut in 0..length {
            assert!(nexting.restore(&bytes[..cut]).is_err(), "{cut} bytes");
        }
        for at in HEADER..length {
            let mut bytes = bytes;
            bytes[at] ^= 4;
            assert!(nexting.restore(&bytes[..length]).is_err(), "byte {at}");
        }
        assert!(nexting.restore(&bytes[..=length]).is_err());
        let (bytes, length) = saved(&after::<f32>(500));
        assert!(nexting.restore(&bytes[..length]).is_err());
        assert_eq!(saved(&nexting), fresh);
        assert!(nexting.sample([f32::NAN, 0.0]).is_err());
    }
}
