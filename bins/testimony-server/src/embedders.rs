//! The embedders that somebody configured: made ready, given to the memory, and told where one of them wants something.

use std::path::Path;
use std::sync::Arc;

use testimony::embedding::remote::{RemoteSettings, SystemSurroundings};
use testimony::embedding::{Calibration, Embedder, EmbedderIdentity, RemoteEmbedder, Transformer};
use testimony::{Builder, Reembedding, SystemClock, Testimony};

use crate::calibration;
use crate::failure::Failure;
use crate::files;
use crate::settings::{EmbedderOf, SettingError, Settings, Way, of_process};

/// An embedder of the file, ready to embed.
pub(crate) struct Ready {
    pub(crate) name: String,
    /// What it is: a folder, or a server.
    pub(crate) kind: &'static str,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) is_wanted: bool,
}

/// A builder that has every embedder of the settings at hand.
pub(crate) fn builder(settings: &Settings) -> Result<Builder, Failure> {
    let all = open(&settings.embedders(&of_process)?)?;
    Ok(at_hand(&all))
}

/// Makes the embedders ready. Nothing is sent to a server before there is something to embed.
pub(crate) fn open(all: &[EmbedderOf]) -> Result<Vec<Ready>, Failure> {
    let each = all.iter().map(|said| ready(said, Measured::AsTheFileSays));
    each.collect()
}

/// What is known of the cosines of an embedder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measured {
    /// What the file of its calibration says.
    AsTheFileSays,
    /// Nothing yet, because it is to be measured.
    NotYet,
}

/// Makes one of them ready.
pub(crate) fn ready(said: &EmbedderOf, measured: Measured) -> Result<Ready, Failure> {
    let file = match measured {
        Measured::AsTheFileSays => said.calibration.as_deref(),
        Measured::NotYet => None,
    };
    let (kind, embedder) = match &said.way {
        Way::Folder(folder) => ("folder", model(said, folder, file)?),
        Way::Remote(settings) => ("server", server(said, settings, file)?),
    };
    Ok(Ready {
        name: said.name().to_owned(),
        kind,
        embedder,
        is_wanted: said.is_wanted,
    })
}

fn model(
    said: &EmbedderOf,
    folder: &Path,
    file: Option<&Path>,
) -> Result<Arc<dyn Embedder>, Failure> {
    let model = Transformer::open(folder).map_err(|wrong| said.wrong(wrong.to_string()))?;
    let model = match calibration(said, model.identity(), file)? {
        Some(calibration) => model.calibrated(calibration),
        None => model,
    };
    Ok(Arc::new(model))
}

fn server(
    said: &EmbedderOf,
    settings: &RemoteSettings,
    file: Option<&Path>,
) -> Result<Arc<dyn Embedder>, Failure> {
    let settings = RemoteSettings {
        calibration: calibration(said, &settings.identity(), file)?,
        ..settings.clone()
    };
    let surroundings = Arc::new(SystemSurroundings(SystemClock));
    let server = RemoteEmbedder::new(settings, surroundings);
    let server = server.map_err(|wrong| said.wrong(wrong.to_string()))?;
    Ok(Arc::new(server))
}

/// The calibration in a file that was measured for this embedder.
fn calibration(
    said: &EmbedderOf,
    of: &EmbedderIdentity,
    file: Option<&Path>,
) -> Result<Option<Calibration>, SettingError> {
    let Some(file) = file else {
        return Ok(None);
    };
    let text = files::text(file).map_err(|wrong| format!("it could not be read: {wrong}"));
    let read = text.and_then(|text| calibration::read(&text, of));
    read.map(Some).map_err(|wrong| {
        said.wrong(format!(
            "`calibration`, {}: {wrong}; `testimony embedder calibrate {} --out FILE` makes one",
            file.display(),
            said.name()
        ))
    })
}

/// A builder that has these at hand: the one that is wanted, and the others for what was embedded by them before.
pub(crate) fn at_hand(all: &[Ready]) -> Builder {
    all.iter().fold(Testimony::builder(), |builder, ready| {
        let embedder = Arc::clone(&ready.embedder);
        if ready.is_wanted {
            builder.embedder(embedder)
        } else {
            builder.former_embedder(embedder)
        }
    })
}

/// Says in the log what the embedders of a memory want of whoever runs it.
pub(crate) fn tell(memory: &Testimony, all: &[Ready]) {
    for ready in all.iter().filter(|ready| ready.is_wanted) {
        let (name, embedder) = (&ready.name, ready.embedder.identity());
        tracing::info!(name, %embedder, "an embedder of the file of settings is wanted");
        if ready.embedder.calibration().is_none() {
            tracing::warn!(
                name,
                "nobody has measured what the cosines of this embedder mean, so they are taken as they are; `testimony embedder calibrate` measures it, for `calibration` under [embedders.NAME]"
            );
        }
    }
    let Reembedding {
        containers,
        missing,
    } = memory.reembedding();
    if *containers > 0 {
        tracing::info!(containers, "containers are embedded again");
    }
    for embedder in missing {
        tracing::warn!(
            %embedder,
            "containers are by an embedder that is not at hand, and until they are embedded again their rows are found by their words alone; describe it under [embedders.NAME] in the file of settings until then"
        );
    }
}

#[cfg(test)]
mod tests {
    use testimony::embedding::Point;

    use super::*;

    const SERVER: &str =
        "[embedders.house]\nurl = \"http://127.0.0.1:9\"\nmodel = \"m\"\ndimensions = 4\n";

    /// The settings in a folder with these files, and what becomes of their embedders.
    fn opened(files: &[(&str, &str)]) -> Result<Vec<Ready>, Failure> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            files::write_for_owner(&folder.path().join(name), text).unwrap();
        }
        let data = folder.path().to_str().unwrap().to_owned();
        let nothing = |_: &str| Ok(None);
        let settings = Settings::gather(&[("data", data)], &nothing).unwrap();
        open(&settings.embedders(&nothing).unwrap())
    }

    fn calibration() -> String {
        let point = |cosine, likeness| Point { cosine, likeness };
        let points = vec![point(0.7, 0.0), point(1.0, 1.0)];
        let house = RemoteSettings::new("http://127.0.0.1:9", "m", 4).identity();
        calibration::written(&house, &Calibration::new("v", points).unwrap())
    }

    #[test]
    fn an_embedder_is_calibrated_where_its_file_says_what_its_cosines_mean() {
        let table = format!("embedder = \"house\"\n{SERVER}calibration = \"house.json\"\n");
        let files = [
            ("testimony.toml", table.as_str()),
            ("house.json", &calibration()),
        ];
        let all = opened(&files).unwrap();
        let [house] = all.as_slice() else {
            panic!("one embedder");
        };
        let measured = house.embedder.calibration().unwrap();
        assert!(house.is_wanted && measured.likeness(0.7) < 0.01);
        assert_eq!((house.name.as_str(), house.kind), ("house", "server"));
        let bare = opened(&[("testimony.toml", SERVER)]).unwrap();
        assert!(bare.iter().all(|it| it.embedder.calibration().is_none()));
    }

    #[test]
    fn what_cannot_be_made_ready_is_named_with_what_helps() {
        let with_file = format!("{SERVER}calibration = \"house.json\"\n");
        let folder = "[embedders.house]\nfolder = \"models\"\n";
        let of_another = calibration().replace("\"m\"", "\"n\"");
        for (table, file, told) in [
            (folder, "", "name the folder of a sentence model"),
            (&with_file, "no JSON at all", "it is no JSON"),
            (&with_file, "{\"version\": \"1\"}", "it is no calibration"),
            (&with_file, &of_another, "it is of `n`"),
        ] {
            let all = [("testimony.toml", table), ("house.json", file)];
            let wrong = opened(&all).err().unwrap().to_string();
            assert!(wrong.starts_with("[embedders.house]"), "{wrong}");
            assert!(wrong.contains(told), "{wrong}");
        }
        let missing = opened(&[("testimony.toml", with_file.as_str())]);
        let missing = missing.err().unwrap().to_string();
        assert!(
            missing.contains("testimony embedder calibrate house --out FILE"),
            "{missing}"
        );
    }
}
