-- particles.lua - claims about lessons/site/filter/particles.lua: after each of these words, which
-- form a pair of particles becomes. It prints the claims that do not hold.
package.path = "lessons/site/filter/?.lua;" .. package.path

local particles = require "particles"

-- What a page says, and how it is written.
local CLAIMS = [[
27.3 µs를 | 27.3 µs을(를)
4256 GB/s는 | 4256 GB/s은(는)
96 %가 | 96 %이(가)
1이 | 1이(가)
2와 | 2과(와)
3으로 | 3(으)로
7로 | 7(으)로
8로 | 8(으)로
10이 | 10이(가)
100은 | 100은(는)
65 536은 | 65 536은(는)
32,764가 | 32,764이(가)
0.25를 | 0.25을(를)
1.50은 | 1.50은(는)
2.1이 | 2.1이(가)
L1이 | L1이(가)
L2가 | L2이(가)
FP16은 | FP16은(는)
FP32와 | FP32과(와)
GELU를 | GELU을(를)
GEMM은 | GEMM은(는)
NaN이 | NaN이(가)
H200에서와 | H200에서과(와)
float4는 | float4은(는)
kernel로 | kernel(으)로
lane을 | lane을(를)
__syncwarp()를 | __syncwarp()을(를)
block으로 | block(으)로
워프로 | 워프(으)로
커널로 | 커널(으)로
레인으로 | 레인(으)로
뱅크(bank)는 | 뱅크(bank)은(는)
“경쟁”이다와 | “경쟁”이다과(와)
“판정”을 | “판정”을(를)
3개나 | 3개(이)나
10이나 | 10(이)나
1과 2를 | 1과(와) 2을(를)
]]

local wrong = false
for said, written in CLAIMS:gmatch("(%C-) | (%C-)\n") do
  local resolved = particles.resolve(written)
  if resolved ~= said then
    io.stdout:write(string.format('"%s" becomes "%s", not "%s"\n', written, resolved, said))
    wrong = true
  end
end
os.exit(not wrong)
