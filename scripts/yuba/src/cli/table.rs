//! Tables: rows whose columns stand under each other, for people. Names may be in any script, so width is what counts.

use unicode_width::UnicodeWidthStr as _;

/// What stands between two columns.
const GAP: &str = "  ";

/// Renders rows of equally many cells, the first of them the heading. The last column is not padded.
pub(crate) fn render<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.width())));
        text += cells.collect::<Vec<_>>().join(GAP).trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let rows = [["NAME", "N", "END"], ["ほげ", "10", ""], ["straße", "1", "x"]].map(|row| row.map(str::to_owned));
        assert_eq!(render(&rows), "NAME    N   END\nほげ    10\nstraße  1   x\n");
    }
}
