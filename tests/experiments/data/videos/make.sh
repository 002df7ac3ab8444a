#!/bin/sh
# Makes the videos of these tests with ffmpeg: 0.4 seconds of a test picture, with and without a tone.
set -e
cd "$(dirname "$0")"
picture="-f lavfi -i testsrc=size=64x48:rate=25:duration=0.4"
tone="-f lavfi -i sine=frequency=440:duration=0.4"
exact="-fflags +bitexact -flags +bitexact"
ffmpeg -y -loglevel error $picture -c:v libvpx -b:v 40k $exact -metadata title="Anna in Paris" silent.webm
ffmpeg -y -loglevel error $picture $tone -c:v libvpx-vp9 -b:v 40k -c:a libopus -b:a 16k $exact sounding.webm
ffmpeg -y -loglevel error $picture -c:v libx264 -pix_fmt yuv420p $exact -metadata title="Anna in Paris" silent.mp4
ffmpeg -y -loglevel error $picture $tone -c:v libx264 -pix_fmt yuv420p -c:a aac -b:a 24k $exact sounding.mp4
