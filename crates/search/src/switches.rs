//! Improvements of a search that can be turned off one by one.

/// Declares the improvements of a search for so many players at most: a field for each, their names, and
/// the list of all its options, those that are not switches first.
macro_rules! switches {
    ([$($option:ident),* $(,)?]; $most_seats:expr; $($name:ident: $about:literal,)*) => {
        /// The improvements that can be turned off, one by one.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Switches {
            $(#[doc = $about] pub $name: bool,)*
        }

        impl Switches {
            /// Their names.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// All on, or all off.
            pub const fn all(on: bool) -> Switches {
                Switches { $($name: on,)* }
            }

            /// Turns one on or off by name; `false` if there is no such name.
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name {
                    $(stringify!($name) => self.$name = on,)*
                    _ => return false,
                }
                true
            }

            /// Whether one is on, by name.
            pub fn is_on(self, name: &str) -> bool {
                let mut on = self;
                on.set(name, true) && on == self
            }
        }

        /// All options.
        pub(crate) const OPTIONS: &[$crate::spec::OptionInfo] = &[
            $($option,)*
            $($crate::spec::OptionInfo::new(stringify!($name), "on, off", $about)
                .for_at_most($most_seats),)*
        ];
    };
}
pub(crate) use switches;
