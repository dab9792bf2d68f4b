//! yuba companion
