use testimony_embedding::BuiltInReader;
use testimony_embedding::reading::RowReader;
use std::time::Instant;
fn main() {
    let t = Instant::now();
    let r = BuiltInReader::new().unwrap();
    println!("load {:?}", t.elapsed());
    let rows = ["Marta is coeliac, so she brings her own bread.", "Marta lives in Lisbon with her sister.", "Jon cycles in every day.", "The staging cluster runs in Frankfurt since March.", "Marta likes hiking in the mountains with Jon and the dog.", "Releases go out through Nomad since spring."];
    for q in ["What can't we serve Marta?", "How does Jon get to the office?", "Which system do we ship containers with?", "Where does Jon live?"] {
        println!("{q} {:?}", r.read(q, &rows));
    }
    for n in [1, 3, 6] {
        let t = Instant::now();
        for _ in 0..50 { std::hint::black_box(r.read("What can't we serve Marta when she comes over?", &rows[..n])); }
        println!("{n} rows {:?}", t.elapsed() / 50);
    }
}
