// The SHA-256 of the right answers in normal form, as the benchmark's own oracle prints them: an independent program that answers every
// question by brute force (`python oracle.py --scale N [--powerlaw]`). None of them comes from this project.

import type { QuestionId } from "./questions.js";

type Digests = { readonly [id in QuestionId]?: string };

/** By number of edges. */
export const PUBLISHED_DIGESTS: { readonly [scale: number]: Digests } = {
  200000: {
    "hist.single": "b879356c5840b48921e38cb48b2580340746df60f52548333a0bddbc8d3bde40",
    "hist.asof": "c50f52d434aa421912af60ac1f3b6c70f865f2e31b0cc489e50e07eb0d04d433",
    "snap.hop2": "93c2244569a358eabf054b44677c0e5b3a3a8164b1e561575dfbf20fcf6e1c77",
    "diff.global": "75086687586bc67ff23fe8cb7699af68f3c89dc131dbb0f92efb93eca2314e20",
    "reach.window": "3a9d80d013865b6f1c0df62f5f4d7bc84531c394b034b24ee8b3bae4d6e6cb96",
    "paths.k": "f3d96358ad2d8024a59fb9e49c6fe1bc132c754d61b481ee111cc6e6f1c797a0",
    "series.count": "7f3b8605fea5cc87a46dff5dd006e6163d8f770e946f9d0b80c01df696dce42a",
    "burst.zscore": "b3ddcb2007f72c4f90eb8907d9a2872677afc743fd61b642163e28c323d76372",
    "nbr.evolution": "89c916f70b2cbb29fed2851b16fc6ee9ed076b019bab3b61c1f0becb3a96460f",
    "coactive.narrow": "e23ac1656999dbda75dec10c190bb90e159ea1ffb2d5aa7cdc1712e7a8950359",
    "resolve.substr": "d8b87dbae50702a25377b40101ceb629a427832e81fd19e8cd10c7acfe371bbf",
    "agg.rel_bucket": "995250e7402ce6610bfb092ed0983315ccc8464798d44de19357498fa59919dc",
    "motif.filtered": "8acc23987b8960d83c44541f9f0eb46454cea080ea94d916f56fccf033db866f",
  },
  1000000: {
    "hist.single": "cae549d95d55e4bc8fc4e765af9f8660ebbb07bc4bb5c82b2f7c4dfea35ae8a9",
    "hist.asof": "36c3bb28077d922e80ff635fcf5659e5ca0e8fcaa943085678e0208dab972340",
    "snap.hop2": "6fd7b1747be7016e814da99c6c68767e748fd3c071145f5d9a38fbf5d508c62a",
    "diff.global": "237202e9aba61a9569a31df054a879245dee3c2450a05290360712435dbdc50e",
    "reach.window": "5edb642c977a66149a2cfb118bdb0f8d3f5c08fc13375540a5bbd1bdaf2bf581",
    "paths.k": "93b88c2cf4d6e6aa36a60d008d1d078ab10d0e9993edacf585799d1203489301",
    "series.count": "0b7a375d2b125044ff057bc10c938a256f77eb8a1a51809eaae491015fdb1836",
    "burst.zscore": "1e1d20afdd7b9d9b9423527129c2315b62167add9e1e121d21885cbb268d2012",
    "nbr.evolution": "c7d2b8af0026b35c046919a667809adcaae1c8bf1a412a136c6982ba349e8919",
    "coactive.narrow": "ace3f63ff74145350e2c7d9ef4cc4d2211967834d211d6aac00baf5c32566950",
    "resolve.substr": "d8b87dbae50702a25377b40101ceb629a427832e81fd19e8cd10c7acfe371bbf",
    "agg.rel_bucket": "09dbf853a4149e290ae36a6919f44afd10ad0e790dc3063f71e3f2c2f250098f",
    "motif.filtered": "131b0c35e2d7edef9dd63f48eff39341ef0a5f770538aa4e0017f41b9cdb135d",
    "motifs36.3600": "afcc2e46afdecaddb49293312e67f39ec91287e0c8dfc70b5a5d7a6636fbf248",
    "motifs36.86400": "c9b79971a7b8c4490b5899c7a66a2060894693a9b42c759a07cffe4cdbbc2fa6",
    "arrival.node0": "bfae62d286d7e0d1bdd12f3f96dd2deff8dd52b400bd91fd18f5d886ef7e54af",
  },
  10000000: {
    "hist.single": "3533316f7fbf08e6209264534c9e158b8cce456ab9d4b7a3eb9e2d3283ad1827",
    "hist.asof": "e0a671a3f31d637058fc385194618c34c45a995ff9d4cc47c7c397328dbd33e0",
    "snap.hop2": "10e2327202bf471a24afc4ac258b49a253232274a48b82abd1250f1c1105c769",
    "diff.global": "31c3cffa3d0994a32b2e1c72d8ab3b0870d8acfa63244f166d462d657bb8db3f",
    "reach.window": "a0006da089e0c1d564fc402cdaee582bdf0140672c43e12703d3993e76807005",
    "paths.k": "222bbedaabaaa955b00ea5017f3b5bd907d9671f78e88a57c2eb035789debdc9",
    "series.count": "8ace61b76623631610773e1f923f8f3980a3971adb26826fa2e6701c050081c5",
    "burst.zscore": "d53bedbec328f736f7d6f0fd0b1857f3cea4f79060a4362408ecc0688d2de1dc",
    "nbr.evolution": "20c586898402f92b25e6ec14e421727eb1d6f9c714516321252cad1086bf9abb",
    "coactive.narrow": "6bda99def722b4146395b95d60a24835a6b5c6003969120c173d8a1c505105ed",
    "resolve.substr": "81fa1c8a5d04ee819859562c733f703d87fed0b0721c7fb9cd30a143cadfed66",
    "agg.rel_bucket": "99f3d2b7a53f5a64df5539135ff1ed86b402479e3d2418cf2aec4dd6d1bdf2fe",
    "motif.filtered": "8bd9c0d453533757387ed019c45617cdc440ba680a67b1a101c85b998ef715c0",
    "motifs36.3600": "5a6ffbe8105862baf4055aa00307e89404d666a0fb20c9d3da95dc8aa9c1b602",
    "motifs36.86400": "87019fb706f3055c250a9bf418bde67335d33b5d15611a55f34d3b835f63dbea",
    "arrival.node0": "7158065ff3e2a9ebc599a9aa5561e882096f623705a8e06930aa9cd1d9177323",
  },
};
