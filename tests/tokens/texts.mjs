// Texts on which a token counter could go wrong.

// Where the cuts of the encoding's regular expression are easily missed.
export const EDGES = [
  '', ' ', '  ', '\n', '\r', '\r\n', '\n\n', ' \n', '\n ', ' \n ', '\t', '\t\n\t', '\u00a0', '\u0085', '\u2028',
  ' a', '  a', '   a', '\ta', '\t\ta', '\na', '\n a', '\n  a', '\r\n\r\n  a', 'a ', 'a  ', 'a\n', 'a \n', 'a\n \n b', '\u00a0a', '\u0085a',
  '\u2028a', '\u3000\u3000a', '\ufeffa', 'a\ufeff', '\u200ba', '\v\fa', ' \u00a0 a', 'a\u00a0\u00a0b',
  "don't", "DON'T", "Don'T", "it's", "IT'S", "we're", "WE'RE", "I've", "I'VE", "I'm", "I'M", "I'll", "I'LL", "I'd", "I'D", "a'ſ", "a'ſb", "A'ſB",
  "a'x", "a'sb", "a'reb", "a'r", "a'l", "a'lx", "a'v", "a'", "'s", "'ll", " 's", "1's", "''s", "a''s", "é's", "中's", "٣'s", "a's's", "a\u0301's",
  'HTTPServer', 'parseHTTPResponse', 'XMLHttpRequest', 'iPhone', 'ABCdef', 'abcDEF', 'aBcDeF', 'ABC', ' ABC', '.ABC', '_abc', '__init__',
  'ʰABC', 'ABCʰ', 'AʰBʰC', '中ABC', 'ABC中', 'A中B中C', 'a中B', 'ǅabc', 'aǅ', 'ǅ', 'ªABC', 'ABCª', 'ABCªd',
  '\u0301', '\u0301A', '\u0301a', '\u0301\u0301', '\u0301\u0301A', ' \u0301', ' \u0301A', '.\u0301', '.\u0301A', 'A\u0301B', 'a\u0301b', '1\u0301', '\u03011', '\n\u0301', '\u0301\n', '\u20e3', '1\ufe0f\u20e3', '!\u0301!', '!!\u0301a',
  '1', '12', '123', '1234', '1234567890', '1 2', ' 1', ' 123', '1.5', '1,000,000', '٣٤٥٦', '१२३४', 'Ⅷ', '½', '²³', '1²', 'x2', '2x', '𝟙𝟚𝟛𝟜', '〇一二三',
  '/', '//', '///', '/\n', '/\r\n/', './a', '../..//a', '//\n//', '!\n\n', '!\n \n', '!/\n/\n!', ' !', '  !', '\n!', ' /\n', '...', '…', '—', '“a”', ' "a', '{}\n}', ');\r\n', ';\n\n\n\n', '!\r', '!\n/a',
  '🙂', '👩‍👩‍👧‍👦', '🇩🇪', '👍🏽', '❤️', '🙂a', 'a🙂', ' 🙂', '🙂\n', '🙂🙂🙂', '#️⃣', '\u{e0001}', '\u{10ffff}', '\ufffd', '\ufffd\ufffda', '\0', '\0\0a', '\x1b[0m',
  '<|endoftext|>', '<|endofprompt|>', 'a<|endoftext|>b', '<|im_start|>',
  '\u{1e4d0}a', '\u{10d50}\u{10d70}', '\u{16ea0}a', '\u{2ebf0}', '\u{323b0}', '\u{10d40}\u{10d41}',
]

export const PROSE = [
  'The quick brown fox jumps over the lazy dog. It\'s what they\'ve said since 1885; isn\'t it?',
  'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Größe: 3,14 m²!',
  'Portez ce vieux whisky au juge blond qui fume. L\'été dernier, j\'ai mangé des œufs à Noël.',
  'El veloz murciélago hindú comía feliz cardillo y kiwi. ¿Qué pasó? ¡Olé!',
  'Pchnąć w tę łódź jeża lub ośm skrzyń fig. Příliš žluťoučký kůň úpěl ďábelské ódy.',
  'Съешь же ещё этих мягких французских булок, да выпей чаю. Їжак, ґанок, є.',
  'Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία. Τάχιστη αλώπηξ βαφής ψημένη γη.',
  'דג סקרן שט בים מאוכזב ולפתע מצא לו חברה. בְּרֵאשִׁית בָּרָא אֱלֹהִים',
  'نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر. ١٢٣٤٥ السَّلَامُ عَلَيْكُمْ',
  'ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश। १२३४',
  'আমার সোনার বাংলা, আমি তোমায় ভালোবাসি। தமிழ் மொழி இனிமையானது. తెలుగు భాష. ಕನ್ನಡ. മലയാളം.',
  'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน ๑๒๓ ພາສາລາວ ភាសាខ្មែរ မြန်မာ',
  '視野無限廣，窗外有藍天。我能吞下玻璃而不伤身体。2024年１２月，第３章「測試」。',
  'いろはにほへと ちりぬるを。カタカナ、ﾊﾝｶｸ、漢字かな交じり文のテストです！ABCとＡＢＣ。',
  '키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. 안녕하세요, 123번!',
  'Chữ Việt: Con sói nâu nhảy qua người đàn ông. Đường phố Hà Nội đẹp lắm.',
  'Pijamalı hasta yağız şoföre çabucak güvendi. İstanbul\'da ışık; IŞIK, ıslak.',
  'ქართული ენა ᲥᲐᲠᲗᲣᲚᲘ, Հայերեն լեզու, ᏣᎳᎩ ꮳꮃꭹ, አማርኛ ቋንቋ, ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ, ᠮᠣᠩᠭᠣᠯ',
  'e\u0301te\u0301 re\u0301sume\u0301 Z\u0351\u036b\u0343a\u0329l\u034dg\u0321o\u0362 T\u0488E\u0489X\u20ddT',
  '𝓗𝓮𝓵𝓵𝓸 𝕎𝕠𝕣𝕝𝕕 𝟏𝟐𝟑 ﬁ ﬂ ſtraße Ǆ ǅ ǆ ⅻ Ⓐⓑ ㍿ ™ № ℃',
  'Ship it 🚀🚀! 👩🏽‍💻 wrote 💯% of it… 🇫🇷🇯🇵 ❤️‍🔥 ☕️ #️⃣1️⃣ ¯\\_(ツ)_/¯ (╯°□°)╯︵ ┻━┻',
]

export const CODE = [
  'for (auto& [key, value] : table_) {\n    if (!value->ok()) return std::move(value).error();\n}\n',
  'def __init__(self, *args, **kwargs):\n\t"""Doc\'s string."""\n\tself._x = args[0] if args else None  # noqa: E501\n',
  'const f = async (x) => { await fetch(`https://example.org/${encodeURIComponent(x)}?a=1&b=2`); };\r\n',
  '{"jsonrpc":"2.0","id":17,"method":"resources/read","params":{"uri":"file:///a/b%20c.txt"}}',
  'SELECT u.id, COUNT(*) AS n FROM users u LEFT JOIN orders o ON o.user_id = u.id WHERE u.x >= 1e-9 GROUP BY 1;\n',
  '#include <vector>\n#define MAX(a,b) ((a)>(b)?(a):(b))\n\n\n/* ---- */\nint main(void)\n{\n        return 0x7fffffffUL;\n}\n',
  '<div class="a-b_c" data-x=\'1\'>\n  <!-- note -->&nbsp;&amp;\n</div>\n',
  'fn main() -> Result<(), Box<dyn Error>> {\n    let v: Vec<_> = (0..=9).map(|x| x * x).collect();\n    Ok(())\n}\n',
  '---\ntitle: "A: b"\ntags: [x, y]\n---\n\n# Heading\n\n- [ ] item `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  '2024-05-17T08:30:00.123Z ERROR [main] c.e.Foo$Bar - NullPointerException at 0xdeadbeef (Foo.java:42)\n',
  'git rebase -i HEAD~3 && ./run.sh --flag=val | grep -E \'^[a-z]+\\s*$\' > /dev/null 2>&1\n',
  'SGVsbG8sIHdvcmxkISBUaGlzIGlzIGJhc2U2NA==  550e8400-e29b-41d4-a716-446655440000 d41d8cd98f00b204e9800998ecf8427e',
]

const ALPHABETS = [
  'abc', 'ABC', 'aB', 'aA1', 'a ', 'a  \n', ' \t\n\r', ' \n', '\r\n', "a'sStTlLrRvVeEmMdD ", "'sſ a", '019', '0 1', '/\n\r!', '!?.,;:', '_-aA',
  'é\u0301aA', 'ʰªA中a', 'ǅǆǄ', '\u0301\u0302 A', '中文字', '😀👍🏽\u200d\ufe0f', '\u00a0\u2003\u3000 \u0085\u2028x', '٣४5½Ⅷ', 'אבג ', 'абвАБВ ', '\0\x01\x7f', '\ufffd\ufeffx', 'กขค\u0e31', 'aaaa', '====', '    ',
].map(text => Array.from(text))

// A code point that is none of the surrogates.
function anyCodePoint(random) {
  const plane = random.pick([0x80, 0x800, 0x3000, 0x10000, 0x20000, 0x110000])
  const code = random.integer(0, plane - 1)
  return code >= 0xd800 && code <= 0xdfff ? '\u2603' : String.fromCodePoint(code)
}

const MAKERS = [
  // A word of one alphabet, where a rule is hit again and again.
  random => {
    const letters = random.pick(ALPHABETS)
    return random.times(1, 40, () => random.pick(letters)).join('')
  },
  // Several of them.
  random => random.times(2, 8, () => random.pick(random.pick(ALPHABETS)).repeat(random.integer(1, 6))).join(''),
  // Edges side by side.
  random => random.times(2, 4, () => random.pick(EDGES)).join(random.pick(['', ' ', '\n', 'a', "'"])),
  // A slice of something real, cut anywhere.
  random => {
    const text = Array.from(random.pick(random.chance(0.5) ? PROSE : CODE))
    const begin = random.integer(0, text.length - 1)
    return text.slice(begin, random.integer(begin + 1, text.length)).join('')
  },
  // Two of them woven word by word, with the cases changed.
  random => {
    const words = [random.pick(PROSE), random.pick(CODE)].map(text => text.split(/(?=\s)/u))
    return random.times(3, 30, () => {
      const word = random.pick(random.pick(words))
      return random.chance(0.2) ? word.toUpperCase() : word
    }).join('')
  },
  // Anything Unicode has, and has not.
  random => random.times(1, 24, () => anyCodePoint(random)).join(''),
  // Letters and digits without a pause.
  random => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    return random.times(20, 200, () => random.pick(letters)).join('')
  },
  // Indentation.
  random => random.times(1, 8, () => random.pick([' ', '\t', '    ']).repeat(random.integer(0, 90)) + random.pick(['x', '}', '\n', '\r\n', '# a', '', '1'])).join(random.pick(['\n', '\n\n', '\r\n', ''])),
]

export function makeText(random) {
  return random.pick(MAKERS)(random).toWellFormed()
}

// Bytes that are mostly not UTF-8.
export function makeBytes(random) {
  const bytes = Buffer.from(random.chance(0.5) ? random.pick(PROSE) : makeText(random))
  for (let i = random.integer(1, 5); i > 0 && bytes.length > 0; --i) {
    bytes[random.integer(0, bytes.length - 1)] = random.pick([0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xf5, 0xff, random.integer(0, 255)])
  }
  return bytes.subarray(random.integer(0, 2), bytes.length - random.integer(0, 2))
}
