//! Serde for nouns that are text outside and typed inside: one function parses them, wherever they come from.

/// Implements `Serialize` through `Display` and `Deserialize` through `FromStr`, so that a stored document can hold
/// nothing that the noun's parser refuses.
macro_rules! serde_text {
    ($noun:ty) => {
        impl serde::Serialize for $noun {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $noun {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use serde_text;
