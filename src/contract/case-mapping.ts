// Lower and upper case of single code points: the simple mappings of Unicode 15.1 (fields 12 and 13 of UnicodeData.txt).
// A table of its own, so that the answer depends on neither the machine nor the version of Node.js.

// Runs in base 36: first code point, then `+count` of neighbours or `*count` of every second one, then what is added.
const LOWER = `
1t+q>w 5c+n>w 60+7>w 74*o>1 8g-5j 8i*3>1 8p*8>1 96*n>1 ag-3d ah*3>1 ap>5u aq*2>1 au>5q av>1 ax+2>5p az>1 b2>27
b3>5m b4>5n b5>1 b7>5p b8>5r ba>5v bb>5t bc>1 bg>5v bh>5x bj>5y bk*3>1 bq>62 br>1 bt>62 bw>1 by>62 bz>1 c1+2>61
c3*2>1 c7>63 c8>1 cc>1 ck>2 cl>1 cn>2 co>1 cq>2 cr*9>1 da*9>1 dt>2 du*2>1 dy-2p dz-1k e0*k>1 f4-3m f6*9>1 fu>8bv
fv>1 fx-4j fy>8bs g1>1 g3-5f g4>1x g5>1z g6*5>1 og*2>1 om>1 ov>38 p2>12 p4+3>11 p8>1s pa+2>1r pd+h>w pv+9>w r3>8
rc*c>1 s4-1o s7>1 s9-7 sa>1 sd+3-3m sg+g>28 sw+w>w v4*h>1 wa*r>1 xs>f xt*7>1 y8*1c>1 10x+12>1c 3a8+12>5ls
3bb>5ls 3bh>5ls 3vk+28>tzk 3xs+6>8 5n4+17-2bk 5od+3-2bk 5xc*23>1 61q-5vj 61s*1c>1 64o+8-8 654+6-8 65k+8-8
660+8-8 66g+6-8 66x*4-8 67c+8-8 688+8-8 68o+8-8 694+8-8 69k+2-8 69m+2-22 69o-9 6a0+4-2e 6a4-9 6ag+2-8 6ai+2-2s
6aw+2-8 6ay+2-34 6b0-7 6bc+2-3k 6be+2-3i 6bg-9 6jq-5st 6ju-6gv 6jv-6di 6k2>s 6lc+g>g 6mb>1 792+q>q 8ow+1c>1c
8rk>1 8rm-8af 8rn-2xy 8ro-89z 8rr*3>1 8rx-8bg 8ry-8al 8rz-8bj 8s0-8bi 8s2>1 8s5>1 8se+2-8cf 8sg*1e>1 8vf*2>1
8vm>1 wu8*n>1 ww0*e>1 x0i*7>1 x0y*v>1 x2x*2>1 x31-r9g x32*5>1 x3f>1 x3h-wmg x3k*2>1 x3q*a>1 x4a-wn8 x4b-wnj
x4c-wnf x4d-wn5 x4e-wn8 x4g-wlu x4h-wmi x4i-wlx x4j>ps x4k*8>1 x50-1c x51-wn7 x52-raw x53*2>1 x5c>1 x5i*2>1
x6d>1 1ee9+q>w 1fcw+14>14 1fhs+10>14 1fn4+b>13 1fng+f>13 1fnw+7>13 1fo4+2>13 1h1c+1f>1s 1jfk+w>w 20cg+w>w
2olc+y>y
`;

const UPPER = `
2p+q-w 51>kn 68+n-w 6w+7-w 73>3d 75*o-1 8h-6g 8j*3-1 8q*8-1 97*n-1 ai*3-1 an-8c ao>5f ar*2-1 aw-1 b0-1 b6-1
b9>2p bd-1 be>4j bi>3m bl*3-1 bs-1 bx-1 c0-1 c4*2-1 c9-1 cd-1 cf>1k cl-1 cm-2 co-1 cp-2 cr-1 cs-2 cu*8-1 d9-27
db*9-1 du-1 dv-2 dx-1 e1*k-1 f7*9-1 fw-1 fz+2>8cf g2-1 g7*5-1 gg>8bj gh>8bg gi>8bi gj-5u gk-5q gm+2-5p gp-5m
gr-5n gs>wnj gw-5p gx>wnf gz-5r h1>wmg h2>wn8 h4-5t h5-5v h6>wn8 h7>8af h8>wn5 hb-5v hd>8al he-5x hh-5y hp>89z
hs-62 hu>wn7 hv-62 hz>wmi i0-62 i1-1x i2+2-61 i4-1z ia-63 il>wlx im>wlu n9>2c oh*2-1 on-1 or+3>3m q4-12 q5+3-11
q9+h-w qq-v qr+9-w r0-1s r1+2-1r r4-1q r5-1l r9-1b ra-1i rb-8 rd*c-1 s0-2e s1-28 s2>7 s3-38 s5-2o s8-1 sb-1
ts+w-w uo+g-28 v5*h-1 wb*r-1 xu*7-1 y7-f y9*1c-1 129+12-1c 3bk+17>2bk 3ct+3>2bk 3y0+6-8 5mo-4tq 5mp-4tp 5mq-4tg
5mr+2-4te 5mt-4tf 5mu-4t8 5mv-4rp 5mw>r7m 5tl>r9g 5tp>2xy 5u6>raw 5xd*23-1 61n-1n 61t*1c-1 64g+8>8 64w+6>8
65c+8>8 65s+8>8 668+6>8 66p*4>8 674+8>8 67k+2>22 67m+4>2e 67q+2>2s 67s+2>3k 67u+2>34 67w+2>3i 680+8>8 68g+8>8
68w+8>8 69c+2>8 69f>9 69q-5k5 69v>9 6a8+2>8 6ao+2>8 6at>7 6b7>9 6ku-s 6ls+g-g 6mc-1 79s+q-q 8q8+1c-1c 8rl-1
8rp-8bv 8rq-8bs 8rs*3-1 8s3-1 8s6-1 8sh*1e-1 8vg*2-1 8vn-1 8w0+12-5ls 8x3-5ls 8x9-5ls wu9*n-1 ww1*e-1 x0j*7-1
x0z*v-1 x2y*2-1 x33*5-1 x3g-1 x3l*2-1 x3o>1c x3r*a-1 x4l*8-1 x54*2-1 x5d-1 x5j*2-1 x6e-1 xub-ps xv4+28-tzk
1ef5+q-w 1fe0+14-14 1fiw+10-14 1fo7+b-13 1foj+f-13 1foz+7-13 1fp7+2-13 1h34+1f-1s 1jgg+w-w 20dc+w-w 2oma+y-y
`;

const RUN = /^([0-9a-z]+)(?:([+*])([0-9a-z]+))?([>-])([0-9a-z]+)$/;

function mappingOf(runs: string): Map<number, string> {
  const mapping = new Map<number, string>();
  for (const run of runs.trim().split(/\s/)) {
    const [, from, stride, count = "1", sign, distance] = RUN.exec(run)!;
    const step = stride === "*" ? 2 : 1;
    const added = Number.parseInt(distance!, 36) * (sign === "-" ? -1 : 1);
    const first = Number.parseInt(from!, 36);
    for (let i = 0; i < Number.parseInt(count, 36); i += 1) {
      mapping.set(first + i * step, String.fromCodePoint(first + i * step + added));
    }
  }
  return mapping;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\u0000-\u007f]*$/;

function mapped(text: string, mapping: ReadonlyMap<number, string>): string {
  let out = "";
  for (const letter of text) out += mapping.get(letter.codePointAt(0)!) ?? letter;
  return out;
}

let lower: Map<number, string> | undefined;
let upper: Map<number, string> | undefined;

export function lowerCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  lower ??= mappingOf(LOWER);
  return mapped(text, lower);
}

export function upperCase(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  upper ??= mappingOf(UPPER);
  return mapped(text, upper);
}
