//! Promise: a recording is read as written, or refused with an error that names the line and the problem.

use std::io::Cursor;

use osculate_lab::replay::csv;
use osculate_lab::replay::trace::{Step, Trace};

fn read(text: &str) -> anyhow::Result<Trace> {
    csv::read(Cursor::new(text))
}

fn steps(trace: &Trace, episode: usize) -> Vec<(u32, f32, Vec<f32>)> {
    trace.episode(episode).map(|Step { state, reward, features }| (state, reward, features.to_vec())).collect()
}

#[test]
fn a_file_is_read_as_it_stands() {
    let trace =
        read("episode,state,reward,phi0,phi1\n7,a,1,2,3\n7,b,-1e-1,.5,+4\n7,a,0,2,3\n3,b,inf,NaN,-0\n").unwrap();
    assert_eq!((trace.features(), trace.episodes(), trace.steps()), (2, 2, 4));
    assert_eq!(steps(&trace, 0), [(0, 1.0, vec![2.0, 3.0]), (1, -0.1, vec![0.5, 4.0]), (0, 0.0, vec![2.0, 3.0])]);
    let [(state, reward, phi)] = &steps(&trace, 1)[..] else { panic!("one step") };
    assert_eq!((*state, *reward, phi[0].is_nan(), phi[1].to_bits()), (0, f32::INFINITY, true, (-0.0_f32).to_bits()));

    // Line endings, a byte-order mark, quotes, blanks and empty lines change nothing. An episode number may recur.
    for text in [
        "episode,state,reward,phi0\r\n1,x,1,2\r\n1,y,3,4\r\n2,x,5,6\r\n",
        "\u{feff}episode,state,reward,phi0\n1,x,1,2\n1,y,3,4\n2,x,5,6",
        "\"episode\",\"state\",\"reward\",\"phi0\"\n1,\"x\",1,2\n1,\"y,\"\"z\",3,4\n2,\"x\",5,6\n",
        "episode, state, reward, phi0\n\n 1 , x , 1 , 2 \n1,\"\", 3, \"4\" \n  \n2,x,5,6\n\n\n",
        "episode,state,reward,phi0\n-1,,1,2\n-1,ü,3,4\n-2,,5,6\n",
        "episode,state,reward,phi0\n1,\"two\n\nlines\",1,2\n1,\"two\n\",3,4\n2,x,5,6\n",
        "episode,state,reward,\"phi0\"\r\n1, \"x\r\n\"\"y\"\"\" ,1,2\r\n1,\"z,\r\n\",\"3\",4\r\n2,x,5,6\r\n",
    ] {
        let trace = read(text).unwrap();
        let all: Vec<_> = (0..trace.episodes()).map(|episode| steps(&trace, episode)).collect();
        let expected = [vec![(0, 1.0, vec![2.0]), (1, 3.0, vec![4.0])], vec![(0, 5.0, vec![6.0])]];
        assert_eq!(all, expected, "{text}");
    }
}

#[test]
fn decimals_are_rounded_once() {
    // Just below the midpoint between two f32 numbers, so close that f64 rounds it to the midpoint.
    let decimal = "1.00000005960464477539062499999";
    assert_eq!(decimal.parse::<f64>().map(|twice| twice as f32), Ok(1.0), "a tie goes to the even one, too");
    let odd = "1.00000017881393432617187499999";
    assert_eq!(odd.parse::<f64>().map(|twice| twice as f32), Ok(1.0 + 2.0 * f32::EPSILON));
    let trace = read(&format!("episode,state,reward,phi0,phi1,phi2\n1,a,{decimal},{odd},1e39,1e-46\n")).unwrap();
    assert_eq!(steps(&trace, 0), [(0, 1.0, vec![1.0 + f32::EPSILON, f32::INFINITY, 0.0])]);
    for nonsense in ["0x10", "1_000", "\"1,5\""] {
        let error = read(&format!("episode,state,reward,phi0\n1,a,{nonsense},1\n")).unwrap_err();
        assert!(format!("{error:#}").contains("is no number"), "{error:#}");
    }
}

#[test]
fn a_malformed_file_is_refused_with_its_line() {
    let good = "episode,state,reward,phi0,phi1\n1,a,1,2,3\n";
    for (text, message) in [
        ("", "the file is empty; it should start with `episode,state,reward,phi0"),
        ("\n \r\n", "the file is empty"),
        ("episode,state,reward,phi0\n", "nothing but a header"),
        ("episode,state,reward\n1,a,1\n", "line 1: the header has no features"),
        ("episode,state\n", "line 1: the header has no features"),
        ("1,a,1,2,3\n", "line 1: column 1 of the header is `1` and should be `episode`"),
        ("\nepisode,reward,state,phi0\n", "line 2: column 2 of the header is `reward` and should be `state`"),
        ("episode,state,reward,phi0,phi2\n", "line 1: column 5 of the header is `phi2` and should be `phi1`"),
        ("episode,state,reward,phi1\n", "should be `phi0`"),
        (&format!("{good}1,b,1,2\n"), "line 3: 4 columns, but the header has 5"),
        (&format!("{good}1,b,1,2,3,4\n"), "line 3: 6 columns, but the header has 5"),
        (&format!("{good}\n1,b,1,two,3\n"), "line 4, column `phi0`: `two` is no number"),
        (&format!("{good}1,b,,2,3\r\n"), "line 3, column `reward`: `` is no number"),
        (&format!("{good}one,b,1,2,3\n"), "line 3, column `episode`: `one` is no whole number"),
        (&format!("{good}1.5,b,1,2,3\n"), "line 3, column `episode`: `1.5` is no whole number"),
        (&format!("{good}1,\"b,1,2,3\n"), "line 3: a quote is not closed"),
        (&format!("{good}1,\"b\"\"\n"), "line 3: a quote is not closed"),
        (&format!("{good}1,\"b\"x,1,2,3\n"), "line 3: `x,1,2,3` follows a closed quote"),
        // A record is identified by its first line, and the lines after it are still numbered correctly.
        (&format!("{good}1,\"b\nc\"x,1,2,3\n"), "line 3: `x,1,2,3` follows a closed quote"),
        (&format!("{good}1,\"b\n\nc\",1,two,3\n"), "line 3, column `phi0`: `two` is no number"),
        (&format!("{good}1,\"b\n\nc\",1,2,3\n\n1,b,1,2\n"), "line 7: 4 columns, but the header has 5"),
        (&format!("{good}\r\n1,b,1,2\r\n"), "line 4: 4 columns, but the header has 5"),
    ] {
        let error = format!("{:#}", read(text).unwrap_err());
        assert!(error.contains(message), "{text:?}: {error}");
    }
    let error = csv::read(Cursor::new(b"episode,state,reward,phi0\n1,\xff,1,2\n")).unwrap_err();
    assert!(format!("{error:#}").contains("line 2: not UTF-8"), "{error:#}");
}
