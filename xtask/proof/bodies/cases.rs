//! Bodies that no honest client sends. A new one is a new line.

/// Something that is sent, by its name.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) make: fn() -> Vec<u8>,
}

macro_rules! cases {
    ($($name:literal => $body:expr;)*) => {
        &[$(Case { name: $name, make: || Vec::from($body) }),*]
    };
}

/// Repeats a text so that it has about this many bytes.
fn long(text: &str, bytes: usize) -> String {
    text.repeat(bytes / text.len())
}

const MEGABYTE: usize = 1 << 20;

/// Whole bodies, for every route alike.
#[rustfmt::skip]
pub(super) const WHOLE: &[Case] = cases! {
    "nothing" => "";
    "blanks" => " \t\r\n ";
    "half an object" => "{\"content\":";
    "an object that is not closed" => "{\"content\":\"a\"";
    "an array" => "[{\"content\":\"a\"}]";
    "a text" => "\"content\"";
    "a number" => "1";
    "null" => "null";
    "two objects" => "{}{}";
    "an object and a word" => "{} content";
    "a comma too many" => "{\"content\":\"a\",}";
    "a comment" => "{\"content\":\"a\" /* b */}";
    "single quotes" => "{'content':'a'}";
    "names without quotes" => "{content:\"a\"}";
    "NaN" => "{\"threshold\":NaN}";
    "Infinity" => "{\"threshold\":Infinity}";
    "less than minus infinity" => "{\"threshold\":-1e999}";
    "more than a double" => "{\"limit\":1e400}";
    "nearly nothing" => "{\"limit\":1e-400}";
    "a hexadecimal number" => "{\"limit\":0x10}";
    "a leading zero" => "{\"limit\":010}";
    "a plus sign" => "{\"limit\":+1}";
    "a number of many digits" => format!("{{\"limit\":1{}}}", long("0", 100_000));
    "a fraction of many digits" => format!("{{\"limit\":0.{}1}}", long("0", 100_000));
    "an exponent of many digits" => format!("{{\"limit\":1e{}}}", long("9", 10_000));
    "a byte order mark" => "\u{feff}{\"content\":\"a\"}";
    "UTF-16" => "{\"content\":\"a\"}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    "an overlong sequence" => b"{\"content\":\"\xc0\xaf\"}".to_vec();
    "half a character" => b"{\"content\":\"\xe2\x82\"}".to_vec();
    "a surrogate in UTF-8" => b"{\"content\":\"\xed\xa0\x80\"}".to_vec();
    "bytes that are no text" => b"{\"content\":\"\xff\xfe\x80\"}".to_vec();
    "a NUL between" => b"{\"content\":\0\"a\"}".to_vec();
    "a NUL inside" => b"{\"content\":\"a\0b\"}".to_vec();
    "a line break inside" => "{\"content\":\"a\nb\"}";
    "an escaped NUL" => "{\"content\":\"a\\u0000b\"}";
    "a high surrogate alone" => "{\"content\":\"\\ud83d\"}";
    "a low surrogate alone" => "{\"content\":\"\\ude42\"}";
    "surrogates the wrong way round" => "{\"content\":\"\\ude42\\ud83d\"}";
    "a surrogate in a name" => "{\"\\ud800\":1}";
    "half an escape" => "{\"content\":\"\\u12\"}";
    "an escape that is none" => "{\"content\":\"\\x41\"}";
    "deep arrays" => format!("{{\"metadata\":{}{}}}", long("[", 200_000), long("]", 200_000));
    "deep objects" => format!("{{\"metadata\":{}1{}}}", long("{\"a\":", 500_000), long("}", 100_000));
    "deep and never closed" => long("{\"a\":[", MEGABYTE);
    "a little too deep" => format!("{{\"metadata\":{}1{}}}", long("{\"a\":", 200), long("}", 40));
    "the same name twice" => "{\"content\":\"a\",\"query\":\"a\",\"content\":\"b\",\"query\":\"b\"}";
    "the same name spelled twice" => "{\"content\":\"a\",\"\\u0063ontent\":\"b\",\"query\":\"a\",\"quer\\u0079\":\"b\"}";
    "one name ten thousand times" => format!("{{{}\"a\":1}}", long("\"a\":1,", 60_000));
    "very many names" => format!("{{{}\"z\":1}}", (0..50_000).map(|at| format!("\"n{at}\":1,")).collect::<String>());
    "a very long name" => format!("{{\"{}\":1}}", long("n", MEGABYTE));
    "a very long text" => format!("{{\"content\":\"{}\",\"query\":\"a\"}}", long("a ", MEGABYTE));
    "a text of escapes" => format!("{{\"content\":\"{}\"}}", long("\\u00e9", MEGABYTE));
    "a text of quotes" => format!("{{\"content\":\"{}\"}}", long("\\\"", MEGABYTE));
    "very many numbers" => format!("{{\"metadata\":{{\"a\":[{}0]}}}}", long("0,", MEGABYTE));
    "very many empty lists" => format!("{{\"metadata\":{{\"a\":[{}[]]}}}}", long("[],", MEGABYTE));
    "very many tags" => format!("{{\"content\":\"a\",\"tags\":[{}\"t\"]}}", long("\"t\",", 400_000));
    "very many items" => format!("{{\"contents\":[{}{{}}]}}", long("{\"content\":\"a\"},", 400_000));
    "a name of prototypes" => "{\"__proto__\":{\"admin\":true},\"constructor\":{\"prototype\":{}}}";
    "an operator of a database" => "{\"content\":{\"$ne\":null},\"query\":{\"$gt\":\"\"}}";
    "an entity bomb" => "<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><l>&b;</l>";
    "a form" => "content=a&query=b";
    "a gzip" => b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\x56\x4a\xce\xcf".to_vec();
};

/// Values in the place of what a field takes, as they are written.
#[rustfmt::skip]
pub(super) const VALUES: &[Case] = cases! {
    "null" => "null";
    "true" => "true";
    "zero" => "0";
    "less than nothing" => "-1";
    "a little more than a whole number" => "1.0000000000000002";
    "the largest double" => "1.7976931348623157e308";
    "more than a double" => "1e400";
    "the largest whole number" => "18446744073709551615";
    "more than the largest" => "18446744073709551616";
    "the least whole number" => "-9223372036854775808";
    "an empty text" => "\"\"";
    "a blank" => "\" \"";
    "a NUL" => "\"a\\u0000b\"";
    "a lone surrogate" => "\"\\ud800\"";
    "a control character" => "\"a\\u001bb\\u009b\"";
    "directions turned" => "\"\\u202ea\\u2066b\"";
    "joiners alone" => "\"\\u200d\\u200d\\ufeff\"";
    "marks without letters" => format!("\"{}\"", long("\\u0301", 60_000));
    "a long word" => format!("\"{}\"", long("a", 100_000));
    "long beyond any bound" => format!("\"{}\"", long("ä", MEGABYTE / 2));
    "many sentences" => format!("\"{}\"", long("Ines has a boat. ", 100_000));
    "many brackets in a text" => format!("\"{}\"", long("<[{(", 50_000));
    "an empty list" => "[]";
    "an empty object" => "{}";
    "a deep list" => format!("{}1{}", long("[", 30), long("]", 30));
    "a deeper object" => format!("{}1{}", long("{\"a\":", 500), long("}", 100));
    "many nothings" => format!("[{}null]", long("null,", 50_000));
    "many texts" => format!("[{}\"a\"]", long("\"a\",", 40_000));
    "mixed kinds" => "[1,\"a\",null,[],{}]";
    "a path out" => "\"../../../../etc/passwd\"";
    "a path to a device" => "\"/dev/zero\"";
    "a quote of a database" => "\"' OR 1=1; DROP TABLE memories; --\"";
    "a wildcard" => "\"%_*?\"";
    "an address inside" => "\"http://169.254.169.254/latest/meta-data\"";
    "a day that never was" => "\"2026-02-30T25:61:61Z\"";
    "a day far away" => "\"+275760-09-13T00:00:00.001Z\"";
    "an id of somebody" => "\"mem_00000000000000000000000000000000\"";
    "an id in capitals" => "\"MEM_FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF\"";
    "an object with the wrong parts" => "{\"content\":[],\"id\":{},\"kind\":1}";
};
