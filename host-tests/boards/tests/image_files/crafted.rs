//! ELF files that no linker made: the smallest that a check can be tried with.

use osculate_lab::boards::Board;
use osculate_lab::image_check::{Report, check};

/// A part of an image.
#[derive(Clone)]
pub(crate) struct Section {
    pub(crate) name: &'static str,
    /// Where it is used.
    pub(crate) address: u32,
    /// Where it is stored.
    pub(crate) stored: u32,
    pub(crate) data: Data,
}

#[derive(Clone)]
pub(crate) enum Data {
    Bytes(Vec<u8>),
    /// So many bytes without an initial value.
    Empty(u32),
}

impl Section {
    pub(crate) fn loaded(name: &'static str, address: u32, bytes: Vec<u8>) -> Self {
        Self { name, address, stored: address, data: Data::Bytes(bytes) }
    }

    pub(crate) fn statics(name: &'static str, address: u32, bytes: u32) -> Self {
        Self { name, address, stored: address, data: Data::Empty(bytes) }
    }

    /// The bytes, to be changed.
    pub(crate) fn bytes(&mut self) -> &mut Vec<u8> {
        match &mut self.data {
            Data::Bytes(bytes) => bytes,
            Data::Empty(_) => panic!("{} has no bytes", self.name),
        }
    }

    fn size(&self) -> u32 {
        match &self.data {
            Data::Bytes(bytes) => bytes.len() as u32,
            Data::Empty(bytes) => *bytes,
        }
    }
}

/// Sixteen vectors: a stack pointer, and handlers that are all at one address.
pub(crate) fn vectors(stack: u32, handler: u32) -> Vec<u8> {
    [stack].into_iter().chain([handler | 1; 15]).flat_map(u32::to_le_bytes).collect()
}

const HEADER: u32 = 52;
const SEGMENT: u32 = 32;
const SECTION: u32 = 40;

/// A file with a segment for each section.
pub(crate) fn elf(sections: &[Section]) -> Vec<u8> {
    let count = sections.len() as u32;
    let mut data = Vec::new();
    let mut names = vec![0];
    let (mut segments, mut table) = (Vec::new(), vec![0; SECTION as usize]);
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let begin = HEADER + SEGMENT * count;
    for section in sections {
        let offset = begin + data.len() as u32;
        let name = names.len() as u32;
        names.extend(section.name.bytes().chain([0]));
        // PROGBITS or NOBITS; allocated and writable.
        let (kind, in_file) = match &section.data {
            Data::Bytes(bytes) => {
                data.extend(bytes);
                (1, section.size())
            }
            Data::Empty(_) => (8, 0),
        };
        segments.extend(words(&[1, offset, section.address, section.stored, in_file, section.size(), 7, 4]));
        table.extend(words(&[name, kind, 3, section.address, offset, section.size(), 0, 0, 4, 0]));
    }
    let offset = begin + data.len() as u32;
    table.extend(words(&[0, 3, 0, 0, offset, names.len() as u32, 0, 0, 1, 0]));

    let mut file = vec![0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    // An executable for Arm.
    file.extend(words(&[40 << 16 | 2, 1, 0, HEADER, offset + names.len() as u32, 0x0500_0000]));
    file.extend(words(&[SEGMENT << 16 | HEADER, SECTION << 16 | count, (count + 1) << 16 | (count + 2)]));
    [file, segments, data, names, table].concat()
}

/// The report on a crafted image.
pub(crate) fn report(board: &Board, sections: &[Section]) -> Report {
    check(board, &elf(sections)).unwrap()
}

/// Breaks an image that is fine, and sees exactly this complaint.
#[track_caller]
pub(crate) fn broken(board: &Board, image: &[Section], how: impl FnOnce(&mut Vec<Section>), complaint: &str) {
    assert_eq!(report(board, image).complaints, [""; 0]);
    let mut image = image.to_vec();
    how(&mut image);
    let complaints = report(board, &image).complaints;
    assert!(complaints.len() == 1 && complaints[0].contains(complaint), "{complaints:#?}\nnot {complaint}");
}
