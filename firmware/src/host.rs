//! Files and the command line of the host, by semihosting.
//!
//! The crate `semihosting` has files, too, but these panic where the host's answers make no sense.

use core::ffi::CStr;

use semihosting::sys::arm_compat::OpenMode;
use semihosting::sys::arm_compat::syscall::{OperationNumber, ParamRegR, ParamRegW, syscall, syscall_readonly};

/// An open file. It stays open until the program ends.
#[derive(Debug)]
pub struct File(usize);

/// The host refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

impl File {
    /// Opens a file to read from.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &CStr) -> Result<Self, Refused> {
        Self::with_mode(path, OpenMode::RDONLY_BINARY)
    }

    /// Creates a file, or overwrites it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &CStr) -> Result<Self, Refused> {
        Self::with_mode(path, OpenMode::WRONLY_TRUNC_BINARY)
    }

    /// The host's standard output.
    ///
    /// # Errors
    /// If it has none.
    pub fn stdout() -> Result<Self, Refused> {
        // This name, opened for writing, is how the protocol spells it.
        Self::with_mode(c":tt", OpenMode::WRONLY_TRUNC)
    }

    fn with_mode(path: &CStr, mode: OpenMode) -> Result<Self, Refused> {
        let block = [ParamRegR::c_str(path), ParamRegR::usize(mode as usize), ParamRegR::c_str_len(path)];
        // SAFETY: path, mode and length are what this operation reads.
        match unsafe { syscall_readonly(OperationNumber::SYS_OPEN, ParamRegR::block(&block)) }.usize() {
            usize::MAX => Err(Refused),
            handle => Ok(Self(handle)),
        }
    }

    /// Fills the buffer as far as the file goes, and returns the number of bytes read.
    ///
    /// # Errors
    /// If the host cannot read on.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Refused> {
        let length = buffer.len();
        let mut block = [ParamRegW::usize(self.0), ParamRegW::buf(buffer), ParamRegW::usize(length)];
        // SAFETY: handle, buffer and length are what this operation reads, and it writes within the buffer.
        let missing = unsafe { syscall(OperationNumber::SYS_READ, ParamRegW::block(&mut block)) };
        length.checked_sub(missing.usize()).ok_or(Refused)
    }

    /// Writes all bytes.
    ///
    /// # Errors
    /// If the host does not take all of them.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        let block = [ParamRegR::usize(self.0), ParamRegR::buf(bytes), ParamRegR::usize(bytes.len())];
        // SAFETY: handle, buffer and length are what this operation reads.
        match unsafe { syscall_readonly(OperationNumber::SYS_WRITE, ParamRegR::block(&block)) }.usize() {
            0 => Ok(()),
            _ => Err(Refused),
        }
    }
}

/// What SYS_GET_CMDLINE reads, and overwrites with its answer.
#[repr(C)]
struct Request {
    buffer: *mut u8,
    /// The size of the buffer, then the length of the line.
    bytes: usize,
}

/// Writes the command line into the buffer and returns its length.
///
/// # Errors
/// If it does not fit.
pub fn command_line(buffer: &mut [u8]) -> Result<usize, Refused> {
    let mut request = Request { buffer: buffer.as_mut_ptr(), bytes: buffer.len() };
    // SAFETY: the request is what this operation reads, and it writes within the buffer.
    let failed = unsafe { syscall(OperationNumber::SYS_GET_CMDLINE, ParamRegW::ref_(&mut request)) };
    if failed.usize() == 0 && request.bytes <= buffer.len() { Ok(request.bytes) } else { Err(Refused) }
}
