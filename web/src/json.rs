//! View structs as JSON text: one string crosses the boundary, and `JSON.parse` does the rest.
//!
//! Every number of a view is an integer, names of fields are in snake case here and in camel case
//! there, and what is not there is `null`.

use std::fmt::Write;

/// Declares a view struct that can be written.
macro_rules! view {
    ($(#[doc = $about:literal])+ pub struct $name:ident {
        $($(#[doc = $doc:literal])+ pub $field:ident: $kind:ty,)+
    }) => {
        $(#[doc = $about])+
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $kind,)+
        }

        impl $crate::json::ToJson for $name {
            fn write(&self, json: &mut $crate::json::Json) {
                json.open('{');
                $(json.field(stringify!($field), &self.$field);)+
                json.close('}');
            }
        }
    };
}
pub(crate) use view;

/// Text that is being written.
#[derive(Default)]
pub struct Json(String);

/// What can be written.
pub trait ToJson {
    /// Writes it at the end.
    fn write(&self, json: &mut Json);
}

/// `value` as text.
pub(crate) fn to_json(value: &dyn ToJson) -> String {
    let mut json = Json::default();
    value.write(&mut json);
    json.0
}

impl Json {
    /// Begins an object or an array.
    pub fn open(&mut self, bracket: char) {
        self.0.push(bracket);
    }

    /// Ends it.
    pub fn close(&mut self, bracket: char) {
        self.0.push(bracket);
    }

    /// A field of an object, by its name in snake case.
    pub fn field(&mut self, name: &str, value: &dyn ToJson) {
        self.part();
        self.0.push('"');
        for (i, word) in name.split('_').enumerate() {
            let mut rest = word.chars();
            if let (1.., Some(first)) = (i, rest.next()) {
                self.0.push(first.to_ascii_uppercase());
                self.0.push_str(rest.as_str());
            } else {
                self.0.push_str(word);
            }
        }
        self.0.push_str("\":");
        value.write(self);
    }

    /// An item of an array.
    pub fn item(&mut self, value: &dyn ToJson) {
        self.part();
        value.write(self);
    }

    /// A comma before all parts but the first. Text in strings ends with a quote.
    fn part(&mut self) {
        if !self.0.ends_with(['{', '[']) {
            self.0.push(',');
        }
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '"' | '\\' => self.0.extend(['\\', c]),
                c if c < ' ' => {
                    let _ = write!(self.0, "\\u{:04x}", u32::from(c));
                }
                c => self.0.push(c),
            }
        }
    }

    fn number(&mut self, number: i64) {
        let _ = write!(self.0, "{number}"); // Writing to a string cannot fail.
    }
}

macro_rules! numbers {
    ($($kind:ty)*) => { $(
        impl ToJson for $kind {
            fn write(&self, json: &mut Json) {
                json.number(i64::from(*self));
            }
        }
    )* };
}
numbers! { i64 u32 i32 u16 i16 u8 }

impl ToJson for bool {
    fn write(&self, json: &mut Json) {
        json.0.push_str(if *self { "true" } else { "false" });
    }
}

impl ToJson for str {
    fn write(&self, json: &mut Json) {
        json.0.push('"');
        if self.bytes().any(|b| matches!(b, 0..b' ' | b'"' | b'\\')) {
            json.escaped(self);
        } else {
            json.0.push_str(self);
        }
        json.0.push('"');
    }
}

impl ToJson for &str {
    fn write(&self, json: &mut Json) {
        (**self).write(json);
    }
}

impl ToJson for String {
    fn write(&self, json: &mut Json) {
        self.as_str().write(json);
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write(&self, json: &mut Json) {
        match self {
            Some(value) => value.write(json),
            None => json.0.push_str("null"),
        }
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write(&self, json: &mut Json) {
        json.open('[');
        self.iter().for_each(|item| json.item(item));
        json.close(']');
    }
}

impl<A: ToJson, B: ToJson> ToJson for (A, B) {
    fn write(&self, json: &mut Json) {
        json.open('[');
        json.item(&self.0);
        json.item(&self.1);
        json.close(']');
    }
}
