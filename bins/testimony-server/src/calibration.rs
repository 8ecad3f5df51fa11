//! The file of a calibration: what the cosines of one embedder mean. It names the embedder that it was measured for, so
//! that it is taken for no other.

use serde_json::{Value, json};
use testimony::embedding::{Calibration, EmbedderIdentity, Point};

use crate::read::{count, part, rows, text};

/// The file of a calibration.
pub(crate) fn written(of: &EmbedderIdentity, calibration: &Calibration) -> String {
    let points = calibration.points().iter();
    let points: Vec<String> = points
        .map(|point| format!("    [{}, {}]", point.cosine, point.likeness))
        .collect();
    let (version, embedder) = (json!(calibration.version()), identity(of));
    let points = points.join(",\n");
    format!(
        "{{\n  \"version\": {version},\n  \"embedder\": {embedder},\n  \"points\": [\n{points}\n  ]\n}}\n"
    )
}

/// Who an embedder is, as JSON.
pub(crate) fn identity(of: &EmbedderIdentity) -> Value {
    let EmbedderIdentity {
        name,
        revision,
        dimensions,
    } = of;
    json!({ "name": name, "revision": revision, "dimensions": dimensions })
}

/// Reads the file of a calibration that was measured for this embedder; else what is wrong with it.
pub(crate) fn read(file: &str, of: &EmbedderIdentity) -> Result<Calibration, String> {
    let value: Value = serde_json::from_str(file).map_err(|_| "it is no JSON".to_owned())?;
    let (version, embedder) = (text(&value, "version"), part(&value, "embedder"));
    let points = rows(&value, "points").iter().map(point);
    let points: Option<Vec<Point>> = points.collect();
    let points = points.filter(|points| !points.is_empty());
    let (Some(points), false, true) = (points, version.is_empty(), embedder.is_object()) else {
        return Err("it is no calibration".to_owned());
    };
    let dimensions = usize::try_from(count(embedder, "dimensions")).unwrap_or_default();
    let measured = EmbedderIdentity {
        name: text(embedder, "name").to_owned(),
        revision: text(embedder, "revision").to_owned(),
        dimensions,
    };
    if measured != *of {
        return Err(format!("it is of {measured}, and this is {of}"));
    }
    Calibration::new(version, points).map_err(|wrong| wrong.to_string())
}

fn point(pair: &Value) -> Option<Point> {
    let [cosine, likeness] = pair.as_array()?.as_slice() else {
        return None;
    };
    Some(Point {
        cosine: cosine.as_f64()? as f32,
        likeness: likeness.as_f64()? as f32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house() -> EmbedderIdentity {
        EmbedderIdentity {
            name: "bge-small".to_owned(),
            revision: "2026-05".to_owned(),
            dimensions: 384,
        }
    }

    fn file() -> String {
        let point = |cosine, likeness| Point { cosine, likeness };
        let points = vec![point(0.1, 0.0), point(0.712_345_6, 0.3), point(1.0, 1.0)];
        written(&house(), &Calibration::new("a \"1\"", points).unwrap())
    }

    #[test]
    fn a_calibration_that_was_written_is_read_as_it_was() {
        let read = read(&file(), &house()).unwrap();
        assert_eq!(read.version(), "a \"1\"");
        assert_eq!(written(&house(), &read), file());
        assert!(file().contains("[0.7123456, 0.3]"), "{}", file());
    }

    #[test]
    fn what_is_no_calibration_or_of_another_embedder_is_told() {
        for (text, told) in [
            ("swordfish".to_owned(), "no JSON"),
            ("{}".to_owned(), "no calibration"),
            (file().replace("points", "lines"), "no calibration"),
            (file().replace("[1, 1]", "[1]"), "no calibration"),
            (file().replace("\"version\"", "\"v\""), "no calibration"),
            (file().replace("384", "385"), "385 dimensions), and this is"),
            (file().replace("2026-05", "2026-04"), "(2026-04"),
            (file().replace("bge-small", "bge-large"), "of `bge-large`"),
            (file().replace("[1, 1]", "[1, 2]"), "lies outside"),
            (file().replace("[1, 1]", "[0, 1]"), "does not follow"),
        ] {
            let wrong = read(&text, &house()).unwrap_err();
            assert!(wrong.contains(told), "{text}: {wrong}");
            assert!(!wrong.contains("swordfish"), "{wrong}");
        }
    }
}
