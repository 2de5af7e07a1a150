//! What somebody gave: arrays to be written to, and how many of something he wants.

use std::any::TypeId;

use numpy::npyffi::{NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_CARRAY, NPY_ARRAY_WRITEABLE, NPY_TYPES};
use numpy::{
    Element, PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// More threads than this are of use on no machine.
const MOST_THREADS: usize = 1024;

/// So many threads, one at least.
pub fn threads(count: usize) -> PyResult<usize> {
    match count {
        0..=MOST_THREADS => Ok(count.max(1)),
        _ => {
            let text = format!("{count} threads are too many: at most {MOST_THREADS}");
            Err(PyValueError::new_err(text))
        }
    }
}

/// Refuses none of something.
pub fn positive(name: &str, number: Option<u64>) -> PyResult<()> {
    match number {
        Some(0) => Err(PyValueError::new_err(format!("`{name}` is a number above nought"))),
        _ => Ok(()),
    }
}

/// Whole numbers in a list, an array or whatever else gives one after the other.
pub fn numbers(given: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let wrong = |_| {
        PyTypeError::new_err(format!(
            "actions are whole numbers, one for each player, not {}",
            kind_of(given)
        ))
    };
    given.try_iter().map_err(wrong)?.map(|one| one?.extract()).collect()
}

/// Makes sure that there is memory for so many things of so many bytes each: where it is missed later, the whole program ends.
pub fn room(count: usize, bytes: usize, what: &str) -> PyResult<()> {
    let mut trial: Vec<u8> = Vec::new();
    let found = count.checked_mul(bytes).map(|bytes| trial.try_reserve_exact(bytes));
    match found {
        Some(Ok(())) => Ok(()),
        _ => Err(PyMemoryError::new_err(format!("there is no memory for {count} {what}"))),
    }
}

/// An array somebody gave, if it is one of this type and shape that is laid out row by row and may be written to.
#[inline]
pub fn given<'a, 'py, T: Element + 'static>(
    name: &str,
    array: &'a Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    match typed::<T>(array) {
        Some(typed) if typed.shape() == shape && has(typed, NPY_ARRAY_CARRAY) => Ok(typed),
        Some(typed) => Err(unfit(name, typed, shape)),
        None => Err(untyped::<T>(name, array, shape)),
    }
}

/// An array of this type. Those of bytes are known by a number, which takes less time than to have types compared.
#[inline]
fn typed<'a, 'py, T: Element + 'static>(
    array: &'a Bound<'py, PyAny>,
) -> Option<&'a Bound<'py, PyArrayDyn<T>>> {
    let is = |other| TypeId::of::<T>() == other;
    let number = match () {
        () if is(TypeId::of::<u8>()) => NPY_TYPES::NPY_UBYTE,
        () if is(TypeId::of::<bool>()) => NPY_TYPES::NPY_BOOL,
        () => return array.cast::<PyArrayDyn<T>>().ok(),
    };
    let some = array.cast::<PyUntypedArray>().ok()?;
    // SAFETY: it is an array of numbers of this type, with any number of dimensions.
    (some.dtype().num() == number as i32).then(|| unsafe { array.cast_unchecked() })
}

/// Whether an array has all of these flags.
#[inline]
fn has<T: Element>(array: &Bound<'_, PyArrayDyn<T>>, flags: i32) -> bool {
    // SAFETY: an array has flags as long as it lives.
    unsafe { (*array.as_array_ptr()).fields.flags & flags == flags }
}

/// Why an array of the right type cannot be written to.
#[cold]
fn unfit<T: Element>(name: &str, array: &Bound<'_, PyArrayDyn<T>>, shape: &[usize]) -> PyErr {
    let text = if array.shape() != shape {
        let given = array.shape();
        format!("{}, not one with shape {given:?}", wanted::<T>(name, array.py(), shape))
    } else if !has(array, NPY_ARRAY_WRITEABLE) {
        format!("`{name}` is read-only")
    } else if !has(array, NPY_ARRAY_C_CONTIGUOUS) {
        format!(
            "`{name}` must be laid out row by row without gaps (C order); numpy.ascontiguousarray makes it so"
        )
    } else {
        format!("the numbers of `{name}` do not begin where a processor wants them; a copy's do")
    };
    PyValueError::new_err(text)
}

#[cold]
fn untyped<T: Element>(name: &str, array: &Bound<'_, PyAny>, shape: &[usize]) -> PyErr {
    let given = kind_of(array);
    PyTypeError::new_err(format!("{}, not {given}", wanted::<T>(name, array.py(), shape)))
}

fn wanted<T: Element>(name: &str, py: Python<'_>, shape: &[usize]) -> String {
    format!("`{name}` is to be an array of {} with shape {shape:?}", T::get_dtype(py))
}

/// What an array holds, to be written to.
///
/// # Safety
/// The array is laid out row by row, as [`given`] makes sure, and nothing else reads or writes it meanwhile.
#[expect(
    clippy::mut_from_ref,
    reason = "an array is shared by whoever holds it, and the caller promises"
)]
pub unsafe fn slice_of<'a, T: Element>(array: &'a Bound<'_, PyArrayDyn<T>>) -> &'a mut [T] {
    // SAFETY: promised.
    unsafe { std::slice::from_raw_parts_mut(array.data(), array.len()) }
}

/// An array that has one row.
pub fn one_row<'py, T: Element>(
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    Ok(array.clone().into_any().cast_into::<PyArray1<T>>()?)
}

/// What something is that should have been another array.
#[cold]
pub fn kind_of(given: &Bound<'_, PyAny>) -> String {
    match (given.getattr("dtype"), given.get_type().name()) {
        (Ok(dtype), _) => format!("one of {dtype}"),
        (Err(_), Ok(name)) => format!("a {name}"),
        (Err(_), Err(_)) => "that".to_string(),
    }
}

/// Flags as bytes.
pub fn bytes(flags: &mut [bool]) -> &mut [u8] {
    let (data, len) = (flags.as_mut_ptr().cast::<u8>(), flags.len());
    // SAFETY: a bool is a byte, and only noughts and ones are written.
    unsafe { std::slice::from_raw_parts_mut(data, len) }
}
