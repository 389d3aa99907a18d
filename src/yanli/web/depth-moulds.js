/**
 * How everything looks in depth: people's limbs, and things by their form; read by `mould` in depth-form.js.
 *
 * A line is a part: its shape, its colour and its measures in 尺, then where it stands. Shapes: box (breadth, height,
 * depth), tube (radius above, radius below, height, sides), ball (radius, sides), lathe (radius and height by turns, from
 * below; thin: with fewer sides), stave (height and depth by turns, as a bent rod). After each bar: `at` x y z; `turn` about x y z; `size` x y z;
 * `pair` the same on the other side; `row` n dx dy dz, n of them in a row round that place; `ring` n r, round a circle.
 * What lies or stands has its foot at 0 and looks north (-z); what is held has the grip at 0; limbs begin at 0 and go up.
 */

export const LIMBS = {
  thigh: `lathe white 0 -.4 .5 -.34 .66 -.1 .71 .3 .75 .9 .75 1.5 .7 1.8 .5 2 0 2.1 | size 1 1 .76`,
  shin: `lathe white 0 -.3 .5 -.22 .66 0 .76 .5 .9 1.45 | size 1 1 .76
    lathe pale .9 1.45 .96 1.76 0 1.74 | size 1 1 .76`,
  breast: `lathe white 0 -.4 .82 -.42 .78 -.2 .7 .3 .63 .75 .74 1.35 .8 1.72 .7 2 .34 2.2 .24 2.42 0 2.46 | size 1 1 .66`,
  trim: `tube white .66 .69 .26 10 | size 1 1 .68 | at 0 .66 0
    box white .22 .75 .06 | turn .1 0 0 | at 0 .4 -.5
    box white .13 1.5 .1 | turn -.13 0 -.34 | at -.17 1.52 -.49
    box white .13 .8 .08 | turn -.2 0 .36 | at .24 1.86 -.44
    tube white .27 .33 .16 10 | size 1 1 .8 | at 0 2.26 0`,
  head: `ball white .4 10 | size 1 1.18 1.02
    ball hair .43 10 | size 1 1.1 1 | at 0 .1 .09
    box white .1 .2 .14 | turn .25 0 0 | at 0 -.03 -.42
    tube hair .14 .02 .3 6 | turn -.2 0 0 | at 0 -.5 -.3
    box hair .24 .05 .05 | at 0 -.19 -.385
    box hair .07 .05 .04 | at .15 .06 -.385 | pair`,
  host: `tube white .4 .44 .2 10 | at 0 .36 .03
    box white .42 .36 .72 | turn -.12 0 0 | at 0 .58 .02`,
  guest: `tube white .4 .44 .2 10 | at 0 .36 .03
    lathe white .34 0 .36 .25 .26 .42 0 .48 | at 0 .42 .03`,
  other: `ball white .45 10 | size 1 .62 1 | at 0 .36 .04
    ball white .16 | at 0 .5 .42`,
  upper: `thin white 0 -.3 .28 -.2 .34 0 .3 .6 .29 1.15 .2 1.35 0 1.39`,
  bare: `thin white 0 -.2 .18 -.1 .17 .2 .15 1 .1 1.21 0 1.25`,
  guard: `tube white .17 .19 .7 | at 0 .62 0`,
  hand: `ball white .17 6 | size .85 1.1 1`,
  foot: `thin white 0 -.1 .18 -.1 .19 .02 .12 .14 0 .16 | size 1 1 2.1 | at 0 .1 -.2`,
};

/** @type {Record<string, string>} */
export const THINGS = {
  爵: `lathe bronze 0 .3 .18 .32 .24 .6 .26 .78 .2 .76 | size 1 1 1.35
    tube bronze .04 .025 .38 5 | at 0 .17 0 | ring 3 .15
    box bronze .16 .06 .34 | turn .35 0 0 | at 0 .82 -.4`,
  觶: `lathe bronze .2 0 .13 .1 .26 .34 .16 .62 .26 .85 .2 .84`,
  壺: `lathe bronze .42 0 .5 .35 .6 .8 .3 1.3 .28 1.55 .36 1.7 .22 1.68`,
  勺: `tube wood .05 .05 1.3 5 | turn .5 0 0 | at 0 .5 0
    ball wood .17 | at 0 0 -.25`,
  冪: `box cloth 1 .05 1 | at 0 .03 0`,
  斯禁: `box lacquer 4 .35 2 | at 0 .18 0
    box red 3.7 .06 1.7 | at 0 .36 0`,
  篚: `box bamboo 3 .08 1.2 | at 0 .12 0
    box bamboo 3 .62 .08 | at 0 .35 0 | row 2 0 0 1.2
    box bamboo .08 .62 1.2 | at 1.5 .35 0 | pair
    box dark 3.1 .09 .13 | at 0 .66 0 | row 2 0 0 1.2
    box dark .13 .09 1.3 | at 1.5 .66 0 | pair`,
  下篚: `box bamboo 1.2 .08 3 | at 0 .12 0
    box bamboo 1.2 .62 .08 | at 0 .35 0 | row 2 0 0 3
    box bamboo .08 .62 3 | at .6 .35 0 | pair
    box dark 1.3 .09 .13 | at 0 .66 0 | row 2 0 0 3
    box dark .13 .09 3.1 | at .6 .66 0 | pair`,
  洗: `lathe bronze .5 0 .42 .4 .85 .85 .95 1.02 .8 .95
    tube water .82 .82 .02 14 | at 0 .93 0`,
  水: `lathe bronze .5 0 .75 .7 .78 1.15 .5 1.4 .55 1.5 .4 1.46
    tube water .44 .44 .02 12 | at 0 1.42 0`,
  豐: `lathe lacquer .62 0 .5 .1 .2 .3 .22 .6 .62 .78 .66 .9 0 .86
    tube red .67 .67 .05 14 | at 0 .88 0`,
  席: `box straw 6 .07 3.333 | at 0 .04 0
    box hem 6.02 .08 .28 | at 0 .045 0 | row 2 0 0 3.06
    box hem .2 .08 3.3 | at 2.9 .045 0 | pair`,
  脯醢: `thin lacquer .28 0 .09 .14 .08 .38 .36 .52 .38 .66 .3 .62 | at .45 0 0 | pair
    ball meat .28 6 | size 1 .35 1 | at -.45 .62 0
    ball dark .28 6 | size 1 .35 1 | at .45 .62 0`,
  羞: `thin lacquer .28 0 .09 .14 .08 .38 .36 .52 .38 .66 .3 .62
    ball bamboo .28 6 | size 1 .35 1 | at 0 .62 0`,
  俎: `box wood 1.7 .1 .95 | at 0 .8 0
    box wood .12 .8 .12 | at .75 .4 -.37 | pair
    box wood .12 .8 .12 | at .75 .4 .37 | pair
    ball meat .36 | size 1.5 .5 .8 | at -.2 .98 0`,
  肺: `ball lung .2 | size 1 .7 .7 | at .55 .1 0`,
  磬: `box red 6.8 .35 .3 | at 0 5.3 0
    box red .22 5.4 .22 | at 0 2.7 0 | row 2 6 0 0
    box dark .5 .25 1.6 | at 0 .12 0 | row 2 6 0 0
    box stone .3 .9 .12 | turn 0 0 .5 | at -.1 4.5 0 | row 8 .7 0 0
    box stone .3 .7 .12 | turn 0 0 -.9 | at .15 4.4 0 | row 8 .7 0 0`,
  鐘: `box red 4.8 .35 .3 | at 0 5.3 0
    box red .22 5.4 .22 | at 0 2.7 0 | row 2 4 0 0
    box dark .5 .25 1.6 | at 0 .12 0 | row 2 4 0 0
    tube bronze .2 .33 .95 9 | at 0 4.5 0 | row 5 .75 0 0`,
  鑮: `box red 3.8 .35 .3 | at 0 5.3 0
    box red .22 5.4 .22 | at 0 2.7 0 | row 2 3 0 0
    box dark .5 .25 1.6 | at 0 .12 0 | row 2 3 0 0
    tube bronze .65 .9 2.3 12 | size 1 1 .75 | at 0 3.9 0`,
  鼙: `box dark 1.2 .2 1.2 | at 0 .1 0
    tube red .07 .07 3 5 | at 0 1.5 0
    tube red .6 .6 .7 12 | turn 1.57 0 0 | at 0 3.2 0
    tube bone .52 .52 .06 12 | turn 1.57 0 0 | at 0 3.2 0 | row 2 0 0 .72`,
  鼗: `tube wood .05 .05 1.6 5 | at 0 .8 0
    tube red .3 .3 .35 10 | turn 1.57 0 0 | at 0 1.8 0
    tube bone .26 .26 .04 10 | turn 1.57 0 0 | at 0 1.8 0 | row 2 0 0 .37`,
  簜: `tube bamboo .09 .09 2.4 6 | turn .18 0 0 | at 0 1.2 0 | row 3 .24 0 0`,
  建鼓: `tube red .14 .16 8.5 | at 0 4.25 0
    box dark 2.2 .4 2.2 | at 0 .2 0
    lathe red .95 -1.2 1.25 -.6 1.32 0 1.25 .6 .95 1.2 | turn 1.57 0 0 | at 0 5.2 0
    tube bone .96 .96 .06 16 | turn 1.57 0 0 | at 0 5.2 0 | row 2 0 0 2.4`,
  瑟: `box wood 5.4 .26 1.3 | at 0 .22 0
    box dark 5 .02 1.1 | at 0 .36 0
    box dark .2 .2 1.1 | at 2.2 .1 0 | pair`,
  笙: `ball dark .26
    tube dark .05 .07 .3 5 | turn 1.3 0 0 | at 0 0 .35
    tube bamboo .045 .045 1.5 5 | at 0 .85 0 | row 3 .075 0 0
    tube bamboo .045 .045 1.2 5 | at .15 .7 0 | pair
    tube bamboo .045 .045 1 5 | at .225 .6 0 | pair`,
  弓: `stave horn -2.85 .78 -2.5 .62 -1.6 .3 -.5 .02 0 0 .5 .02 1.6 .3 2.5 .62 2.85 .78
    tube red .08 .08 .5 6`,
  弛: `stave horn -2.95 -.5 -2 -.1 -.6 .06 .6 .06 2 -.1 2.95 -.5
    tube red .08 .08 .5 6 | at 0 0 .05`,
  燭: `tube wood .09 .07 3 6 | at 0 1 0
    thin red .12 2.4 .2 2.7 .12 3.1 0 3.5`,
  笥: `box bamboo 1.7 .6 1 | at 0 .3 0
    box dark 1.75 .1 1.05 | at 0 .6 0`,
  巾: `box cloth .8 .05 .5 | at 0 .03 0`,
  策: `box bamboo .12 .06 1.4 | at 0 .03 0 | row 6 .15 0 0`,
  豆: `thin lacquer .28 0 .09 .14 .08 .38 .36 .52 .38 .66 .3 .62`,
  尊豐: `thin lacquer 1 -1.7 .7 -1.62 .9 -1.55 0 -1.55`,
  弦: `tube string .022 .022 1 4 | at 0 .5 0`,
  酒: `tube wine .2 .2 .02 10`,
  矢: `tube wood .032 .032 2.8 4 | at 0 1.5 0
    tube bronze 0 .075 .26 4 | at 0 2.88 0
    box white .15 .6 .015 | at .08 .45 0 | pair
    box white .015 .6 .15 | at 0 .45 .08`,
  算: `tube bamboo .045 .045 1 4 | turn 0 0 1.57 | at .2 .05 0
    tube white .05 .05 .4 4 | turn 0 0 1.57 | at -.5 .05 0`,
  扑: `tube dark .03 .06 3 5 | at 0 1.1 0`,
  茅: `tube rush .12 .08 1.6 5 | turn 0 0 1.57 | at 0 .1 0`,
  旌: `tube wood .07 .09 21 6 | at 0 7.5 0
    tube white .2 .16 6.5 | at 0 12 0
    tube red .03 .34 .7 7 | at 0 16.4 0 | row 3 0 1.24 0
    tube white .03 .34 .7 7 | at 0 16.4 0 | row 2 0 1.24 0`,
  中: `ball wood .55 10 | size .75 .75 1.6 | at 0 .5 0
    tube wood .16 .26 .8 | turn -.5 0 0 | at 0 .95 -.85
    ball wood .25 | size .8 .8 1.35 | at 0 1.35 -1.1
    box lacquer .5 .12 .9 | at 0 .88 .1
    tube bone .03 .05 .75 5 | turn .3 0 -.5 | at .22 1.8 -.95 | pair
    box wood .2 .2 .8 | at .35 .12 -.65 | pair
    box wood .2 .25 .8 | at .4 .14 .55 | pair`,
  楅: `box red 3 .18 .35 | at 0 .75 0
    box leather .8 .2 .42 | at 0 .76 0
    box lacquer .2 .8 .7 | at 1.1 .4 0 | pair
    ball red .24 | size 1.4 1 1 | at 1.55 .92 0 | pair`,
  乏: `box hide .12 4.4 2.6 | at -1.45 2.2 0
    box hide 2.7 4.4 .12 | turn 0 .06 0 | at -.1 2.2 -1.4
    box hide 2.7 4.4 .12 | turn 0 -.06 0 | at -.1 2.2 1.4
    box dark .2 .16 2.8 | at -1.45 4.4 0
    box dark 2.8 .16 .2 | turn 0 .06 0 | at -.1 4.4 -1.4
    box dark 2.8 .16 .2 | turn 0 -.06 0 | at -.1 4.4 1.4`,
  物: `box cloth .9 .7 .7 | at 0 .35 0
    box dark .95 .1 .75 | at 0 .4 0`,
};
